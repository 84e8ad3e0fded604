import CGtk
import GLibKit
import TestSupport
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The call server in the preferences, with a pretended account.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class GroupServerGroupTests: WindowSuite,
    @unchecked Sendable
{
    // Unchecked, as its parent.
    @Test func `a call server is set and shown without its keys`() {
        onMain {
            let (preferences, provider) = open()
            save("wss://Calls.example.org", key: "create", in: preferences)
            wait(for: "the row") { row("wss://calls.example.org/", in: preferences) != nil }
            let shown = row("wss://calls.example.org/", in: preferences)
            #expect(shown?[property: "subtitle"] == "With a key for making rooms")
            #expect(provider.groupServerItem?.hasTokenSecret == false)
            for title in [Self.address, Self.key, Self.secret] {
                wait(for: "an empty field") { entry(title, in: preferences)?.text == "" }
            }
            preferences.window.close()
        }
    }

    @Test func `an address that is none is refused, and stays to be mended`() {
        onMain {
            let (preferences, provider) = open()
            save("ws://calls.example.org", in: preferences)
            wait(for: "the sentence") {
                shows("A call server on another computer needs an address that begins with wss://.", preferences)
            }
            #expect(provider.groupServerItem == nil)
            #expect(entry(Self.address, in: preferences)?.text == "ws://calls.example.org")
            preferences.window.close()
        }
    }

    @Test func `a call server that was removed comes back when it is asked for`() {
        onMain {
            let (preferences, provider) = open()
            save("wss://calls.example.org", in: preferences)
            wait(for: "the row") { row("wss://calls.example.org/", in: preferences) != nil }
            press("user-trash-symbolic", in: row("wss://calls.example.org/", in: preferences))
            wait(for: "the row to go") { row("wss://calls.example.org/", in: preferences) == nil }
            #expect(provider.groupServerItem == nil)
            press("Undo", in: preferences.window.root)
            wait(for: "the row") { row("wss://calls.example.org/", in: preferences) != nil }
            preferences.window.close()
        }
    }

    @Test func `the choice to use it always needs a call server, and is kept`() {
        onMain {
            let (preferences, provider) = open()
            let choice = row("Use it for all calls of several", in: preferences)
            wait(for: "the row to be read") { choice?.isSensitive == false }
            save("wss://calls.example.org", in: preferences)
            wait(for: "the row to be usable") { choice?.isSensitive == true }
            choice.flatMap { descendants(of: $0).first { $0.isA(gtk_switch_get_type()) } }?[property: "active"] = true
            wait(for: "the choice") { provider.groupServerItem?.isAlwaysUsed == true }
            preferences.window.close()
        }
    }

    @Test func `a test tells each step that worked, and what did not`() {
        onMain {
            let (preferences, _) = open()
            save("wss://keys.example.org", in: preferences)
            let tested = test("wss://keys.example.org/", in: preferences)
            wait(for: "the end") {
                subtitle(tested) == """
                    It answers, after 12 ms.
                    It is Janus 1.1.2, with rooms for video calls.
                    It takes your token, or wants none.
                    The call server makes rooms only for who has its key: check the key for making rooms.
                    """
            }
            preferences.window.close()
        }
    }

    @Test func `a test that goes through says which way media take, and that calls can use the server`() {
        onMain {
            let (preferences, _) = open()
            save("wss://calls.example.org", in: preferences)
            let tested = test("wss://calls.example.org/", in: preferences)
            wait(for: "the end") {
                subtitle(tested).hasSuffix(
                    """
                    You can join the room.
                    Sound and pictures reach it directly.
                    They come back directly, as they were sent.
                    It has closed the room again.
                    Calls of several can go over it.
                    """)
            }
            preferences.window.close()
        }
    }

    @Test func `a server that makes rooms and lets no media through is of no use`() {
        onMain {
            let (preferences, _) = open()
            save("wss://blocked.example.org", in: preferences)
            let tested = test("wss://blocked.example.org/", in: preferences)
            wait(for: "the end") {
                subtitle(tested).hasSuffix("to know its public address; else add a TURN server.")
            }
            #expect(subtitle(tested).contains("It has closed the room again.\nSound and pictures don't reach"))
            #expect(!subtitle(tested).contains("Calls of several can go over it."))
            preferences.window.close()
        }
    }

    @Test func `the call server and what its test tells fit into a narrow window`() throws {
        try onMain {
            let (preferences, _) = open(width: 360)
            let root = preferences.window.root
            save("wss://keys.example.org", in: preferences)
            let tested = try #require(test("wss://keys.example.org/", in: preferences))
            wait(for: "the end") { subtitle(tested).hasSuffix("for making rooms.") }
            let scroller = try #require(
                descendants(of: root).first {
                    $0.isA(gtk_scrolled_window_get_type()) && gtk_widget_get_mapped($0.pointer()) != 0
                })
            let place = gtk_scrolled_window_get_vadjustment(scroller.pointer())
            let clock = gtk_widget_get_frame_clock(root.pointer())
            let drawn = gdk_frame_clock_get_frame_counter(clock)
            wait(for: "a few frames") {
                gtk_adjustment_set_value(place, gtk_adjustment_get_upper(place))
                gtk_widget_queue_draw(root.pointer())
                return gdk_frame_clock_get_frame_counter(clock) > drawn + 3
            }
            ScreenCamera.take("call-server-narrow", of: "root")
            #expect(gtk_widget_get_width(root.pointer()) <= 360, "it is wider than the window")
            #expect(gtk_widget_get_width(tested.pointer()) > 0)
            preferences.window.close()
        }
    }

    @Test func `while media are under way that is told`() {
        onMain {
            let (preferences, _) = open(pause: .milliseconds(300))
            save("wss://calls.example.org", in: preferences)
            let tested = test("wss://calls.example.org/", in: preferences)
            wait(for: "the way there") { subtitle(tested).hasSuffix("\nSending sound and pictures to it…") }
            wait(for: "the way back") { subtitle(tested).hasSuffix("\nWaiting for them to come back…") }
            preferences.window.close()
        }
    }

    @Test func `a test ends when nobody looks at its page any more`() {
        onMain {
            let (preferences, provider) = open()
            let ended = Ended()
            provider.onServerTestEnd = { ended.isEnded = true }
            save("wss://silent.example.org", in: preferences)
            let tested = test("wss://silent.example.org/", in: preferences)
            wait(for: "a step") { subtitle(tested).hasSuffix("rooms for video calls.\nAsking it…") }
            adw_preferences_window_set_visible_page_name(preferences.window.root.pointer(), "key")
            wait(for: "the end") { ended.isEnded }
            wait(for: "what the server is used with") { subtitle(tested) == "Without a key" }
            preferences.window.close()
        }
    }

    // MARK: What the tests share

    private static let address = "Call server, such as wss://calls.example.org"
    private static let key = "Key for making rooms, if it wants one"
    private static let secret = "Token secret, if it wants tokens"

    @MainActor private final class Ended {
        var isEnded = false
    }

    @MainActor private func open(
        width: Int32 = 580, pause: Duration = .zero
    ) -> (PreferencesWindow, FakeProvider) {
        let provider = FakeProvider(pause: pause)
        let parent = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
        let preferences = PreferencesWindow(over: parent, provider: provider)
        adw_preferences_window_set_visible_page_name(preferences.window.root.pointer(), "network")
        gtk_window_set_default_size(preferences.window.root.pointer(), width, 900)
        preferences.window.present()
        return (preferences, provider)
    }

    @MainActor private func save(_ address: String, key: String = "", in preferences: PreferencesWindow) {
        entry(Self.address, in: preferences)?.text = address
        entry(Self.key, in: preferences)?.text = key
        _ = try? entry(Self.key, in: preferences)?.emit("entry-activated")
    }

    /// Presses the button of the row with this title; the row.
    @MainActor private func test(_ address: String, in preferences: PreferencesWindow) -> Widget? {
        wait(for: "the row") { row(address, in: preferences) != nil }
        let found = row(address, in: preferences)
        press("Test", in: found)
        return found
    }

    @MainActor private func press(_ name: String, in widget: Widget?) {
        let button = widget.flatMap { descendants(of: $0).first { $0.isA(gtk_button_get_type()) && isNamed(name, $0) } }
        if button == nil { Issue.record("there is no button “\(name)”") }
        _ = try? button?.emit("clicked")
    }

    @MainActor private func isNamed(_ name: String, _ button: Widget) -> Bool {
        button.text == name || gtk_button_get_icon_name(button.pointer()).map { String(cString: $0) } == name
    }

    @MainActor private func row(_ title: String, in preferences: PreferencesWindow) -> Widget? {
        descendants(of: preferences.window.root).first { $0.isA(adw_action_row_get_type()) && $0.text == title }
    }

    @MainActor private func entry(_ title: String, in preferences: PreferencesWindow) -> Widget? {
        descendants(of: preferences.window.root).first {
            $0.isA(adw_entry_row_get_type()) && $0[property: "title"] == title
        }
    }

    @MainActor private func subtitle(_ row: Widget?) -> String { row?[property: "subtitle"] ?? "" }

    @MainActor private func shows(_ text: String, _ preferences: PreferencesWindow) -> Bool {
        descendants(of: preferences.window.root).contains {
            $0.isA(gtk_label_get_type()) && $0.isVisible && $0.text == text
        }
    }
}
