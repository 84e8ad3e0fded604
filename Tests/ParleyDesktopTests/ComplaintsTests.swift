import Agent
import BaseKit
import CGtk
import GLibKit
import Parley
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// What went wrong, as the main window tells it.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class ComplaintsTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    @MainActor private final class Chosen {
        var remedies: [Remedy] = []
        var repeats = 0
    }

    @Test func `the button beside an error does what helps`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            let chosen = Chosen()
            world.dialogs.complaints.onChoice = { chosen.remedies.append($0) }
            world.dialogs.complaints.tell(AccountError.noRelay) { chosen.repeats += 1 }
            try button("How People Reach You…", in: world).emit("clicked")
            #expect(chosen.remedies == [.reach])
            #expect(chosen.repeats == 0)
        }
    }

    @Test func `what may work the next time is done once more`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            let chosen = Chosen()
            world.dialogs.run { _ in
                chosen.repeats += 1
                if chosen.repeats == 1 { throw AccountError.relay(Cause(AgentError.relayUnreachable)) }
            }
            wait(for: "the error") { buttons("Try Again", in: world).first != nil }
            try button("Try Again", in: world).emit("clicked")
            wait(for: "the second time") { chosen.repeats == 2 }
        }
    }

    @Test func `the whole sentence is read beside the button`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            world.dialogs.complaints.tell(AccountError.noRelay)
            let label = try #require(
                descendants(of: world.window.root).first {
                    $0.isA(gtk_label_get_type()) && $0.text.hasPrefix("No relay is known")
                        && $0[property: "wrap"] == true
                })
            wait(for: "the sentence") { gtk_widget_get_height(label.pointer()) > 0 }
            #expect(gtk_label_get_ellipsize(label.pointer()) == PANGO_ELLIPSIZE_NONE)
            #expect(pango_layout_is_ellipsized(gtk_label_get_layout(label.pointer())) == 0)
        }
    }

    @MainActor private func button(_ label: String, in world: PretendedWindows) throws -> Widget {
        try #require(buttons(label, in: world).first, "\(label)")
    }

    @MainActor private func buttons(_ label: String, in world: PretendedWindows) -> [Widget] {
        descendants(of: world.window.root).filter { $0.isA(gtk_button_get_type()) && $0.text == label }
    }
}
