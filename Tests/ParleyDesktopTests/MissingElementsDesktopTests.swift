import TestSupport
import Testing

/// The real program on a machine that lacks a piece of GStreamer.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class MissingElementsDesktopTests: DesktopSuite {
    @Test func `what calls lack is a page until it is installed`() throws {
        let plugins = try HiddenPlugins("gstwebrtc")
        let parley = try real(plugins)
        try parley.see("Something is missing")
        let sentence = try parley.see("webrtcbin")
        #expect(
            sentence.hasPrefix("Calls are not possible: GStreamer’s “webrtcbin” is missing; install "), "\(sentence)")
        // gstreamer1.0-plugins-bad, gstreamer1-plugins-bad-free or gst-plugins-bad, as the system calls it.
        #expect(sentence.contains("plugins-bad"), "\(sentence)")
        #expect(!parley.shows("Video call with"))
        #expect(parley.accessible.namelessButtons == [])
        parley.screenshot("missing-element")
        try parley.press("Look again")
        try parley.see("webrtcbin")
        try plugins.install("gstwebrtc")
        try parley.press("Look again")
        try parley.see("Contacts")
        try parley.seeNoMore("Something is missing")
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `who goes on without calls, calls nobody`() throws {
        let plugins = try HiddenPlugins("gstwebrtc", "gstnice")
        defer { withExtendedLifetime(plugins) {} }
        let parley = try real(plugins)
        let sentence = try parley.see("“webrtcbin”, “nicesink” and “nicesrc” are missing")
        try parley.press("Go on without calls")
        try parley.see("Contacts")
        try parley.press("Video call with Test call")
        try parley.see(sentence)
        #expect(!parley.shows("Calling…"))
        #expect(parley.canPress("Video call with Test call"))
        parley.screenshot("missing-element-toast")
    }

    private func real(_ plugins: HiddenPlugins) throws -> RunningProgram {
        try RunningProgram(
            [
                "--profile", try RunningProgram.emptyFolder().path, "--key-file", "--camera", "test", "--microphone",
                "test",
            ], environment: plugins.environment)
    }
}
