import BaseKit
import Glibc

/// Pictures that a test offers to a PipeWire, as a camera or a compositor does. They end with this object.
///
/// A second program looks at them all the time: GStreamer's sink for PipeWire 1.4 (Debian 13) gives up for good when the last one
/// who looked goes, as no camera does. Whoever else is there first and leaves at once has it begin anew.
public final class VirtualPicture: Sendable {
    /// What is to be seen.
    public enum Subject: Sendable {
        /// One colour (0xRRGGBB).
        case colour(UInt32)
        /// A picture file in its own size, before grey.
        case file(String)

        fileprivate var colour: UInt32 { if case .colour(let colour) = self { colour } else { 0x80_8080 } }

        /// What lies over the colour.
        fileprivate var overlay: [String] {
            guard case .file(let path) = self else { return [] }
            return ["gdkpixbufoverlay", "location=\(path)", "relative-x=0.3", "relative-y=0.05", "!"]
        }
    }

    private let source: ChildProcess
    private let onlooker: ChildProcess

    /// Returns when the pictures flow.
    /// - Parameters:
    ///   - node: The name of PipeWire's node.
    ///   - subject: What is to be seen.
    ///   - caps: What GStreamer calls the pictures' format and size.
    ///   - properties: More of PipeWire's properties of the node.
    ///   - start: Starts a program where it reaches the PipeWire.
    public init(
        _ node: String, of subject: Subject, caps: String, properties: [String] = [],
        start: (_ program: String, _ arguments: [String]) throws -> ChildProcess
    ) async throws {
        let properties = ["props", "media.class=Video/Source", "node.name=\(node)"] + properties
        let pipeline =
            [
                "-q", "videotestsrc", "is-live=true", "pattern=solid-color",
                "foreground-color=\(0xFF00_0000 | subject.colour)", "!", "video/x-raw,\(caps),framerate=30/1", "!",
            ] + subject.overlay + [
                "pipewiresink", "mode=provide", "stream-properties=\(properties.joined(separator: ","))",
            ]
        var attempt = 0
        while true {
            attempt += 1
            let source = try start("gst-launch-1.0", pipeline)
            let onlooker = try start("bash", ["-c", Self.look, "bash", node])
            if try await Self.flows(from: source, to: onlooker) {
                (self.source, self.onlooker) = (source, onlooker)
                return
            }
            for process in [onlooker, source] { process.signal(SIGKILL) }
            guard attempt < Self.attempts else { throw NoPicture(node: node, errors: source.errors) }
        }
    }

    private static let attempts = 5

    /// GStreamer did not offer the pictures.
    struct NoPicture: Error, CustomStringConvertible {
        var node: String
        var errors: String

        var description: String { "No pictures of \(node): \(errors)" }
    }

    /// Whether the pictures flow, and go on to do so for a moment.
    private static func flows(from source: ChildProcess, to onlooker: ChildProcess) async throws -> Bool {
        let end = Instant.now + .seconds(20)
        while !onlooker.lines.contains(where: { $0.contains("fakesink0.GstPad:sink: caps") }) {
            guard Instant.now < end, source.isRunning, onlooker.isRunning else { return false }
            try await Task.sleep(for: .milliseconds(20))
        }
        try await Task.sleep(for: .milliseconds(200))
        return source.isRunning && onlooker.isRunning
    }

    private static let look = """
        until pw-dump 2>/dev/null | grep -q "\\"node.name\\": \\"$1\\""; do sleep 0.05; done
        exec gst-launch-1.0 -v pipewiresrc target-object="$1" stream-properties=props,node.dont-reconnect=true ! \\
            video/x-raw ! fakesink
        """

    /// Makes it hang: it stays listed but gives nothing more.
    public func freeze() { source.signal(SIGSTOP) }

    /// Takes it away, as a crash or a pulled plug does.
    public func end() async throws {
        for process in [onlooker, source] {
            process.signal(SIGKILL)
            _ = try await process.exitStatus()
        }
    }
}
