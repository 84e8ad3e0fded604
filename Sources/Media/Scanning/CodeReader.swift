import CGStreamer
import GLibKit
import MediaRules

/// A pipeline that looks for codes in the pictures that come in at its `input`, by GStreamer's `zbar`.
final class CodeReader: Sendable {
    /// Why there is none here; nil where there is one.
    static var missing: MissingElements? { MissingElements(MediaRuntime.missing(for: [.codes])) }

    /// The `appsrc` for pictures.
    let input: Element
    private let pipeline: Pipeline

    /// Makes one. Blocks until it runs.
    /// - Parameters:
    ///   - rate: How many pictures a second are looked at, at most; the others are let go. Nil looks at each.
    ///   - onCode: Gets what is found, on the streaming thread, again with each picture.
    ///   - onEnd: Is told that all pictures were looked at, or that there will be none.
    init(
        rate: Int?, onCode: @escaping @Sendable (ScannedCode) -> Void, onEnd: @escaping @Sendable () -> Void = {}
    ) throws(MediaError) {
        pipeline = try Pipeline { kind, text in
            if let code = ScannedCode(kind: kind, text: text) { onCode(code) }
        } onMessage: { message in
            switch message {
            case .error, .endOfStream: onEnd()
            case .latencyChanged: break
            }
        }
        let slower = rate.map { "videorate drop-only=true max-rate=\($0) ! " } ?? ""
        let leak = rate == nil ? "none" : "downstream"
        let chain = try Element.bin(
            """
            appsrc name=pictures is-live=true format=time max-buffers=1 leaky-type=\(leak) ! \(slower)videoconvert ! \
            zbar ! fakesink async=false sync=false
            """)
        input = try chain.child("pictures")
        pipeline.element.add(chain)
        guard pipeline.play(within: .seconds(5)) else { throw .pipeline("zbar") }
    }

    /// Ends it. Blocks until its threads are gone.
    func close() { pipeline.close() }
}
