import BaseKit
import CGtk
import Testing

@testable import DesktopApplication

/// What the windows show of a call that is over, and how long.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class EndedCallWindowsTests: CallWindowsSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @Test func `the end of a call goes by itself`() {
        onMain {
            let world = CallWindowsWorld(timeToRead: .milliseconds(200))
            defer { world.close() }
            let call = StillCall("Ada", .active(since: .now - .seconds(75)))
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            call.change { $0.stage = .ended(sentence: "Ada hung up.") }
            wait(for: "its length") {
                descendants(of: world.window.root).contains { $0.text.hasPrefix("The call lasted 1:1") }
            }
            wait(for: "the contacts") { world.window.page == .contacts }
            #expect(world.presenter.call == nil)
        }
    }

    @Test func `the end of one call does not take away the next`() {
        onMain {
            let world = CallWindowsWorld(timeToRead: .milliseconds(200))
            defer { world.close() }
            world.roster.add(StillCall("Ada", .ended(sentence: "Over.")))
            #expect(world.window.page == .ended)
            let next = StillCall("Ben", .ringingIn)
            world.roster.add(next)
            pass(.milliseconds(400))
            #expect(world.window.page == .incoming)
            #expect(world.presenter.call === next)
        }
    }

    @Test func `a call that falls silent is over for the window`() throws {
        onMain {
            for isOver in [false, true] {
                let world = CallWindowsWorld()
                let call = StillCall("Ada", .ringingIn)
                world.roster.add(call)
                #expect(world.window.page == .incoming)
                if isOver { call.change(isTold: false) { $0.stage = .ended(sentence: "Ada gave up.") } }
                call.fallSilent()
                wait(for: "the end") { world.window.page == .ended }
                #expect(
                    world.presenter.snapshot.stage == .ended(sentence: isOver ? "Ada gave up." : "The call is over."))
                #expect(!world.presenter.isBusy)
                world.close()
            }
        }
    }

    @Test func `a key on Close closes the ended call`() throws {
        try onMain {
            let world = CallWindowsWorld()
            world.roster.add(StillCall("Ada", .ended(sentence: "Over.")))
            #expect(world.window.page == .ended)
            gtk_widget_activate(try button("Back to the contacts", in: world.window.root).pointer())
            wait(for: "the contacts") { world.window.page == .contacts }
            #expect(world.presenter.call == nil)
            world.close()
        }
    }

    @Test func `a key on Close that counts late leaves the next call alone`() throws {
        for sentence in ["Back to the contacts", "Call again"] {
            try onMain {
                let world = CallWindowsWorld()
                world.roster.add(StillCall("Ada", .ended(sentence: "Over.")))
                // GTK waits for 250 ms before a button counts as pressed by a key.
                gtk_widget_activate(try button(sentence, in: world.window.root).pointer())
                let next = StillCall("Ben", .ringingIn)
                world.roster.add(next)
                pass(.milliseconds(600))
                #expect(world.presenter.call === next, "\(sentence)")
                #expect(world.window.page == .incoming, "\(sentence)")
                #expect(world.wanted == [], "\(sentence)")
                #expect(next.done == [], "\(sentence)")
                // Nor does it close the next call once that is over.
                next.change { $0.stage = .ended(sentence: "Over, too.") }
                wait(for: "the end") { world.window.page == .ended }
                world.close()
            }
        }
    }
}
