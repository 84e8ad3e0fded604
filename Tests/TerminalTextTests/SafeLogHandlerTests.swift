import Logging
import Synchronization
import Testing

@testable import TerminalText

@Suite(.timeLimit(.minutes(5))) struct SafeLogHandlerTests {
    /// Keeps what it is told.
    private struct Notebook: LogHandler {
        final class Page: Sendable {
            let lines = Mutex<[String]>([])
        }

        let page: Page
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let fields = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            page.lines.withLock { $0.append(([event.message.description] + fields).joined(separator: " ")) }
        }
    }

    @Test func `neither message nor metadata moves the terminal`() {
        let page = Notebook.Page()
        var logger = Logger(label: "x") { _ in SafeLogHandler(over: Notebook(page: page), level: .info) }
        logger[metadataKey: "relay"] = "smp://\u{1B}[31m"
        logger.notice(
            "from \u{202E}Ada\n",
            metadata: ["a": ["\u{7}", "b"], "c": ["d": "\u{9B}"], "e": .stringConvertible("\u{85}f"), "z\u{8}": "y"])
        logger.debug("not told")
        let expected =
            "from \u{FFFD}Ada  a=[\"\u{FFFD}\", \"b\"] c=[\"d\": \"\u{FFFD}\"] e= f relay=smp://\u{FFFD}[31m z\u{FFFD}=y"
        #expect(page.lines.withLock { $0 } == [expected])
    }
}
