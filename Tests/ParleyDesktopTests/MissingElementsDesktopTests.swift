import TestSupport
import XCTest

/// The real program on a machine that lacks a piece of GStreamer.
final class MissingElementsDesktopTests: DesktopTestCase {
    func testWhatCallsLackIsAPageUntilItIsInstalled() throws {
        let plugins = try HiddenPlugins("gstwebrtc")
        let parley = try real(plugins)
        try parley.see("Something is missing")
        let sentence = try parley.see("webrtcbin")
        XCTAssertTrue(
            sentence.hasPrefix("Calls are not possible: GStreamer’s “webrtcbin” is missing; install "), sentence)
        XCTAssertFalse(parley.shows("Video call with"))
        XCTAssertEqual(parley.namelessButtons, [])
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

    func testWhoGoesOnWithoutCallsCallsNobody() throws {
        let plugins = try HiddenPlugins("gstwebrtc", "gstnice")
        defer { withExtendedLifetime(plugins) {} }
        let parley = try real(plugins)
        let sentence = try parley.see("“webrtcbin”, “nicesink” and “nicesrc” are missing")
        try parley.press("Go on without calls")
        try parley.see("Contacts")
        try parley.press("Video call with Test call")
        try parley.see(sentence)
        XCTAssertFalse(parley.shows("Calling…"))
        XCTAssertTrue(parley.canPress("Video call with Test call"))
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
