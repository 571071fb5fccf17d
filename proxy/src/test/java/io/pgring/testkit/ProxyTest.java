package io.pgring.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a scenario, a method with a {@link Rig} as its parameter. It runs once for each {@link
 * Variant}, PostgreSQL itself first; then every client of the other variants must have received
 * exactly what its counterpart received there.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(ProxyTestExtension.class)
public @interface ProxyTest {
  /** False for a scenario about pooling, which PostgreSQL itself cannot show. */
  boolean direct() default true;

  /** False where timing decides what a client receives, or where the proxy words it itself. */
  boolean compare() default true;
}
