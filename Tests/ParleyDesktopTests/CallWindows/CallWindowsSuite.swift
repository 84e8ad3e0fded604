import BaseKit
import CGtk
import GLibKit
import Testing

@testable import DesktopApplication

/// A suite of the windows of calls.
class CallWindowsSuite: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @MainActor func button(_ sentence: String, in widget: Widget) throws -> Widget {
        try #require(descendants(of: widget).first { $0[property: "tooltip-text"] == sentence && $0.isSensitive })
    }

    /// Iterates the loop for a while.
    @MainActor func pass(_ time: Duration) {
        let end = Instant.now + time
        wait(for: "time to pass") { Instant.now >= end }
    }

    @MainActor func canPress(_ sentence: String, in world: CallWindowsWorld) -> Bool {
        descendants(of: world.window.root).contains { $0[property: "tooltip-text"] == sentence && $0.isSensitive }
    }

    /// A call that rings and can be answered.
    @MainActor func ringingCall(in world: CallWindowsWorld) -> StillCall {
        let call = StillCall("Ada", .ringingIn)
        world.roster.add(call)
        wait(for: "the buttons") { canPress("Decline the call", in: world) }
        return call
    }

    /// A window with a call that is on and another one that waits, which can be answered.
    @MainActor func worldWithWaitingCall() -> (world: CallWindowsWorld, first: StillCall, second: StillCall) {
        let world = CallWindowsWorld()
        let (first, second) = (StillCall("Ada", .active(since: .now)), StillCall("Ben", .ringingIn))
        world.roster.add(first)
        wait(for: "the call") { world.window.page == .call }
        second.change { $0.isWaiting = true }
        world.roster.add(second)
        wait(for: "the banner") { shows("Ben", in: world) }
        wait(for: "its buttons") { presses("End and accept", in: world) }
        return (world, first, second)
    }

    @MainActor func shows(_ text: String, in world: CallWindowsWorld) -> Bool {
        descendants(of: world.window.root).contains {
            $0.isA(gtk_label_get_type()) && $0.text.contains(text) && gtk_widget_get_mapped($0.pointer()) != 0
        }
    }

    @MainActor func textButton(_ text: String, in world: CallWindowsWorld) -> Widget? {
        descendants(of: world.window.root).first { widget in
            widget.isA(gtk_button_get_type()) && gtk_widget_get_mapped(widget.pointer()) != 0
                && descendants(of: widget).contains { $0.isA(gtk_label_get_type()) && $0.text == text }
        }
    }

    @MainActor func presses(_ text: String, in world: CallWindowsWorld) -> Bool {
        textButton(text, in: world)?.isSensitive == true
    }
}
