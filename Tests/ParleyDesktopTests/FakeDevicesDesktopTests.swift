import XCTest

/// Devices in the windows of the real program, with pretended ones behind them.
final class FakeDevicesDesktopTests: DesktopTestCase {
    func testDevicesAreShownInThePreferences() throws {
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        for title in ["Camera", "Microphone", "Speaker", "Test the microphone", "Echo cancellation"] {
            try parley.see(title)
        }
        parley.screenshot("devices")
        XCTAssertEqual(parley.namelessButtons, [])
    }
}
