import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(1))) struct QuietDesktopTests {
    private func desktop(_ findings: QuietDesktop.Finding...) -> QuietDesktop {
        var desktop = QuietDesktop()
        for finding in findings { desktop.learn(finding) }
        return desktop
    }

    @Test(arguments: [
        ("dunst", QuietDesktop.Source.dunst), ("gnome-shell", .gnome), ("Xfce Notify Daemon", .xfce),
        ("Plasma", .inhibited), ("notification-daemon", .inhibited), ("", .inhibited),
    ])
    func `the one who shows notifications is believed, and nobody else`(name: String, source: QuietDesktop.Source) {
        for other in QuietDesktop.Source.allCases {
            #expect(desktop(.server(name), .answer(other, true)).isQuiet == (other == source ? true : nil))
        }
    }

    @Test(arguments: [true, false, nil]) func `what is believed is what it says`(answer: Bool?) {
        #expect(desktop(.answer(.dunst, answer), .server("dunst")).isQuiet == (answer == true))
    }

    @Test func `nothing is known before the server has said who it is`() {
        #expect(desktop(.answer(.dunst, true), .answer(.xfce, true)).isQuiet == nil)
    }

    @Test func `where nothing shows notifications nothing is to be left in peace`() {
        #expect(desktop(.answer(.xfce, true), .answer(.gnome, true), .server(nil)).isQuiet == false)
    }
}
