import XCTest

/// The ways to be reached, in the windows of the program with pretended ones.
final class FakeReachDesktopTests: DesktopTestCase {
    private let network = "Let people in this network reach me"
    private let port = "Open a port in the router so that people elsewhere can reach you"

    func testAPortInTheRouterIsOpenedByChoiceAndNotBeforeTheNetworkIs() throws {
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.press("How People Reach You…")
        try parley.seeSwitch(port, isOn: false)
        XCTAssertFalse(parley.canFlip(port))
        try parley.flip(network)
        try parley.see("Others here find your relay as desk.local.")
        try parley.flip(port)
        try parley.see("Whether others reach it could not be tried from here.")
        try parley.see("At present people reach you from everywhere.")
        try parley.seeSwitch(port, isOn: true)
        parley.screenshot("reach-router")
        XCTAssertEqual(parley.namelessButtons, [])
        try parley.flip(port)
        try parley.seeNoMore("Whether others reach it could not be tried from here.")
        try parley.see("At present people in this network reach you.")
    }
}
