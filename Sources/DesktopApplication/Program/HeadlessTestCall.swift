import Calling
import GLibKit
import Parley
import TerminalText
import Wording

/// The same test call that the window's button makes, for machines without a display.
@MainActor enum HeadlessTestCall {
    /// How long the call lasts once it is up.
    private static let length = Duration.seconds(5)

    /// Makes the call and prints how it went; gives the exit status, 0 for a completed call.
    static func run() async -> Int32 {
        do {
            let summary = try await TestCall().run { call in
                await follow(call)
                return await call.summary()
            }
            print(sentence(summary))
            return summary.result == CallSummary.completed ? 0 : 1
        } catch {
            print(TerminalText.line(Wording.sentence(of: error)))
            return 1
        }
    }

    /// Prints each stage; hangs up when the call has lasted long enough.
    private nonisolated static func follow(_ call: Call) async {
        var last = ""
        var ending: Task<Void, Never>?
        for await state in call.states() {
            let (stage, isActive) = stage(state)
            if stage != last { print(stage) }
            last = stage
            if isActive, ending == nil {
                ending = Task {
                    try? await Task.sleep(for: length)
                    await call.hangUp()
                }
            }
        }
        ending?.cancel()
    }

    private nonisolated static func stage(_ state: CallState) -> (sentence: String, isActive: Bool) {
        switch state.phase {
        case .ringingOut, .ringingIn: (state.isDelivered ? tr("Ringing…") : tr("Calling…"), false)
        case .connecting: (tr("Connecting…"), false)
        case .active: (tr("The call is up."), true)
        case .reconnecting: (tr("Reconnecting…"), false)
        case .ended(let reason): (reason.sentence, false)
        }
    }

    private static func sentence(_ summary: CallSummary) -> String {
        tr(
            """
            Sent %1$s pictures and %2$s pieces of sound, received %3$s and %4$s; frame encryption %5$s; result: %6$s.
            """, summary.sent.videoFrames, summary.sent.audioFrames, summary.received.videoFrames,
            summary.received.audioFrames, summary.received.frameEncryption, summary.result)
    }
}
