package io.pgring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a {@link ProxyTest} over the variants and compares what their clients received. */
final class ProxyTestExtension implements TestTemplateInvocationContextProvider {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ProxyTestExtension.class);

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    ProxyTest scenario = context.getRequiredTestMethod().getAnnotation(ProxyTest.class);
    return Arrays.stream(Variant.values())
        .filter(variant -> scenario.direct() || variant != Variant.DIRECT)
        .map(variant -> new Run(variant, scenario.compare()));
  }

  /** One invocation: hands the rig to the scenario and closes it behind. */
  private record Run(Variant variant, boolean compare)
      implements TestTemplateInvocationContext, ParameterResolver, InvocationInterceptor {

    @Override
    public String getDisplayName(int invocationIndex) {
      return variant.title();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Rig.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return new Rig(variant);
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      try (Rig rig = (Rig) method.getArguments().get(0)) {
        invocation.proceed();
        if (compare) {
          compareWithDirect(rig.transcripts(), context);
        }
      }
    }

    /** The direct run leaves its transcripts in the store of the method that all runs share. */
    private void compareWithDirect(List<String> transcripts, ExtensionContext context) {
      ExtensionContext.Store store = context.getParent().orElseThrow().getStore(NAMESPACE);
      if (variant == Variant.DIRECT) {
        store.put(Variant.DIRECT, transcripts);
        return;
      }
      Object direct = store.get(Variant.DIRECT);
      if (direct != null) {
        assertThat(transcripts).as("received, compared with PostgreSQL itself").isEqualTo(direct);
      }
    }
  }
}
