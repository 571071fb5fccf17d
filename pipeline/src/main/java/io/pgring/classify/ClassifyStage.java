package io.pgring.classify;

import io.pgring.pipeline.FrameEvent;
import io.pgring.pipeline.Stage;
import io.pgring.protocol.FrontendMessage;
import io.pgring.protocol.frontend.ParseFlyweight;
import io.pgring.protocol.frontend.QueryFlyweight;

/**
 * Classifies the text of each Query and Parse. Assumes the settings that nearly every session has;
 * a text whose class depends on them says so, and relay treats it with care. Runs on the thread of
 * its stage.
 */
public final class ClassifyStage implements Stage {
  private final QueryFlyweight query = new QueryFlyweight();
  private final ParseFlyweight parse = new ParseFlyweight();
  private final StatementClassifier classifier = new StatementClassifier();
  private final int maxInspectedBytes;

  /**
   * @param maxInspectedBytes texts longer than this are not looked at
   */
  public ClassifyStage(int maxInspectedBytes) {
    this.maxInspectedBytes = maxInspectedBytes;
  }

  @Override
  public void onFrame(FrameEvent frame) {
    if (frame.type() == FrontendMessage.QUERY) {
      if (isInspected(frame)
          && query.wrap(frame.buffer(), frame.offset(), frame.length()).valid()) {
        classify(frame, query.sqlOffset(), query.sqlLength());
      } else {
        frame.classification(Classification.NOT_INSPECTED);
      }
    } else if (frame.type() == FrontendMessage.PARSE) {
      if (isInspected(frame)
          && parse.wrap(frame.buffer(), frame.offset(), frame.length()).valid()) {
        classify(frame, parse.sqlOffset(), parse.sqlLength());
      } else {
        frame.classification(Classification.NOT_INSPECTED);
      }
    }
  }

  @Override
  public String name() {
    return "classify";
  }

  private boolean isInspected(FrameEvent frame) {
    return frame.part() == FrameEvent.WHOLE && frame.length() <= maxInspectedBytes;
  }

  private void classify(FrameEvent frame, int offset, int length) {
    frame.classification(
        classifier.classify(frame.buffer(), offset, length, true, ClientEncoding.ASCII_SAFE));
  }
}
