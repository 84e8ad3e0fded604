import CGtk
import GLibKit
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The windows of a call of several, and what a person sees and presses there.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class GroupCallWindowsTests: CallWindowsSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    private static let ben = GroupSnapshot.Member.someone(2, "Ben", .connected)
    private static let cleo = GroupSnapshot.Member.someone(3, "Cleo", .connected)
    private static let dan = GroupSnapshot.Member.someone(4, "Dan", .connected)

    /// The names on the tiles, from left to right and from top to bottom.
    @MainActor private func tiles(_ world: CallWindowsWorld) -> [String] {
        places(world).sorted { ($0.row, $0.column) < ($1.row, $1.column) }.map(\.name)
    }

    @MainActor private func places(_ world: CallWindowsWorld) -> [(name: String, column: gint, row: gint, raw: Widget)]
    {
        guard let grid = descendants(of: world.window.root).first(where: { $0.isA(gtk_grid_get_type()) && isTiles($0) })
        else { return [] }
        var result: [(String, gint, gint, Widget)] = []
        var next = gtk_widget_get_first_child(grid.pointer())
        while let child = next {
            next = gtk_widget_get_next_sibling(child)
            var (column, row, width, height): (gint, gint, gint, gint) = (0, 0, 0, 0)
            gtk_grid_query_child(grid.pointer(), child, &column, &row, &width, &height)
            let tile = Widget(retaining: UnsafeMutableRawPointer(child))
            let name = descendants(of: tile).last { $0.isA(gtk_label_get_type()) }?.text ?? ""
            result.append((name, column, row, tile))
        }
        return result
    }

    @MainActor private func isShown(_ sentence: String, in world: CallWindowsWorld) -> Bool {
        descendants(of: world.window.root).contains {
            $0[property: "tooltip-text"] == sentence && gtk_widget_get_mapped($0.pointer()) != 0
        }
    }

    @MainActor private func isTiles(_ grid: Widget) -> Bool {
        gtk_widget_get_first_child(grid.pointer()).map { gtk_widget_has_css_class($0, "tile") != 0 } ?? false
    }

    @Test func `the focus begins at the microphone`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            world.roster.add(StillGroupCall(.active(since: .now), [Self.cleo]))
            wait(for: "the call") { world.window.page == .call }
            let mute = try button("Mute microphone", in: world.window.root)
            #expect(world.focus == mute)
        }
    }

    @Test func `tiles keep their places and their widgets when people come and go`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.cleo, Self.dan])
            world.roster.add(call)
            wait(for: "the tiles") { tiles(world) == ["Cleo", "Dan", "You"] }
            let cleo = try #require(places(world).first { $0.name == "Cleo" }?.raw)
            let dan = try #require(places(world).first { $0.name == "Dan" }?.raw)
            gtk_widget_grab_focus(cleo.pointer())
            #expect(world.focus == cleo)
            call.change { $0.group?.members.insert(Self.ben, at: 0) }
            wait(for: "who comes to be last") { tiles(world) == ["Cleo", "Dan", "You", "Ben"] }
            #expect(world.focus == cleo, "a tile that stays keeps the focus")
            call.change { $0.group?.members[1].stage = .left }
            wait(for: "who goes to be gone") { tiles(world) == ["Dan", "You", "Ben"] }
            #expect(try #require(places(world).first { $0.name == "Dan" }?.raw) == dan)
            call.change { $0.group?.members[2].stage = .left }
            wait(for: "the only other one") { tiles(world) == ["Ben"] }
            #expect(world.window.page == .call)
        }
    }

    /// How many columns and rows a tile takes.
    @MainActor private func span(_ name: String, in world: CallWindowsWorld) -> [gint] {
        guard let tile = places(world).first(where: { $0.name == name })?.raw,
            let parent = gtk_widget_get_parent(tile.pointer())
        else { return [] }
        var (column, row, width, height): (gint, gint, gint, gint) = (0, 0, 0, 0)
        let grid = Widget(retaining: UnsafeMutableRawPointer(parent))
        gtk_grid_query_child(grid.pointer(), tile.pointer(), &column, &row, &width, &height)
        return [width, height]
    }

    /// Presses a key on a tile; gives whether it was for the tile.
    @MainActor private func press(_ key: Int32, on tile: Widget) throws -> Bool {
        try controllers(of: tile, gtk_event_controller_key_get_type()).map {
            try $0.emit("key-pressed", UInt32(key), UInt32(0), UInt32(0))?.get(as: Bool.self) == true
        }.contains(true)
    }

    @MainActor private func controllers(of tile: Widget, _ type: GType) -> [Object] {
        let list = Object(adopting: UnsafeMutableRawPointer(gtk_widget_observe_controllers(tile.pointer())))
        return (0..<g_list_model_get_n_items(list.pointer())).compactMap { index in
            g_list_model_get_item(list.pointer(), index).map { Object(adopting: $0) }
        }.filter { $0.isA(type) }
    }

    @Test func `a click or a key on a tile pins and unpins it, and the tile keeps widget and focus`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo, Self.dan])
            world.roster.add(call)
            wait(for: "the tiles") { tiles(world) == ["Ben", "Cleo", "Dan", "You"] }
            let cleo = try #require(places(world).first { $0.name == "Cleo" }?.raw)
            gtk_widget_grab_focus(cleo.pointer())
            #expect(try press(GDK_KEY_Return, on: cleo))
            wait(for: "Cleo to be large") { span("Cleo", in: world).max() == 6 }
            #expect(world.presenter.presentation?.group?.tiles.first?.description == "Cleo, pinned")
            #expect(places(world).first { $0.name == "Cleo" }?.raw == cleo && world.focus == cleo)
            #expect(try press(GDK_KEY_space, on: cleo))
            wait(for: "the grid") {
                span("Cleo", in: world) == [2, 1] && tiles(world) == ["Ben", "Cleo", "Dan", "You"]
            }
            #expect(world.focus == cleo)
            let dan = try #require(places(world).first { $0.name == "Dan" }?.raw)
            for clicks in controllers(of: dan, gtk_gesture_click_get_type()) {
                try clicks.emit("released", Int32(1), 0.0, 0.0)
            }
            wait(for: "Dan to be large") { span("Dan", in: world).max() == 6 }
            let own = try #require(places(world).first { $0.name == "You" }?.raw)
            #expect(try !press(GDK_KEY_Return, on: own), "the person here is pinned")
            call.change { $0.group?.members[2].stage = .left }
            wait(for: "the grid without Dan") { span("Cleo", in: world) == [2, 1] && tiles(world).count == 3 }
            call.change { $0.group?.members[2].stage = .connected }
            wait(for: "Dan to be one of many") { span("Dan", in: world) == [2, 1] }
        }
    }

    @Test func `the view follows whoever speaks, and its button and key go there and back`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            wait(for: "the button") { canPress("Show whoever speaks large", in: world) }
            try button("Show whoever speaks large", in: world.window.root).emit("clicked")
            wait(for: "Ben to be large") { span("Ben", in: world).max() == 6 }
            let voice = try #require(call.voices[.of(3)])
            wait(for: "somebody to listen") { voice.isHeard }
            voice.send(2)
            wait(for: "Cleo to be large") { span("Cleo", in: world).max() == 6 && span("Ben", in: world).max() == 2 }
            voice.send(0)
            world.start("group-view")
            wait(for: "the grid") { span("Cleo", in: world) == [2, 1] && span("Ben", in: world) == [2, 1] }
            world.start("group-view")
            wait(for: "who spoke last") { span("Cleo", in: world).max() == 6 }
            call.change { $0.group?.members[0].stage = .left }
            wait(for: "nothing to choose") { !isShown("Show everybody at the same size", in: world) }
        }
    }

    @Test func `the page of participants pins and unpins`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            world.roster.add(StillGroupCall(.active(since: .now), [Self.ben, Self.cleo]))
            world.start("people")
            wait(for: "its menus") { isShown("Options for Ben", in: world) && isShown("Options for Cleo", in: world) }
            #expect(!isShown("Options for You", in: world))
            try pinButton("Pin Ben", in: world).emit("clicked")
            wait(for: "Ben to be large") { span("Ben", in: world).max() == 6 }
            try pinButton("Unpin Ben", in: world).emit("clicked")
            wait(for: "the grid") { span("Ben", in: world) == [2, 1] }
        }
    }

    @Test func `each has a volume of their own, and what is shown is no choice`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            world.start("people")
            wait(for: "its menus") { isShown("Options for Cleo", in: world) }
            @MainActor func scale(_ name: String) throws -> Widget {
                let button = try button("Options for \(name)", in: world.window.root)
                let menu = Widget(retaining: UnsafeMutableRawPointer(gtk_menu_button_get_popover(button.pointer())))
                return try #require(descendants(of: menu).first { $0.isA(gtk_scale_get_type()) })
            }
            #expect(gtk_range_get_value(try scale("Cleo").pointer()) == 100)
            gtk_range_set_value(try scale("Cleo").pointer(), 40)
            wait(for: "the choice") {
                call.done == ["volume 3 0.4"] && shows("In the call · Volume 40 percent", in: world)
            }
            call.change { $0.group?.members[0].volume = 1.5 }
            wait(for: "what another place chose") { (try? gtk_range_get_value(scale("Ben").pointer())) == 150 }
            #expect(gtk_range_get_value(try scale("Cleo").pointer()) == 40)
            #expect(call.done == ["volume 3 0.4"])
            call.change { $0.group?.members[0].stage = .left }
            wait(for: "who left to have no menu") { !isShown("Options for Ben", in: world) }
            #expect(isShown("Options for Cleo", in: world))
        }
    }

    /// A button of a menu, which need not be open.
    @MainActor private func pinButton(_ label: String, in world: CallWindowsWorld) throws -> Widget {
        let popovers = descendants(of: world.window.root).filter { $0.isA(gtk_menu_button_get_type()) }
            .compactMap { gtk_menu_button_get_popover($0.pointer()) }.map {
                Widget(retaining: UnsafeMutableRawPointer($0))
            }
        return try #require(
            popovers.flatMap { descendants(of: $0) }.first { $0.isA(gtk_button_get_type()) && $0.text == label })
    }

    @Test func `a call of several rings as any call, and opens nothing`() {
        onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.ringingIn, [Self.ben, Self.cleo], kind: .video)
            world.roster.add(call)
            wait(for: "the ring") { world.window.page == .incoming }
            #expect(shows("Incoming video call with Cleo", in: world) && shows("Ben", in: world))
            wait(for: "its buttons") { canPress("Accept with video", in: world) }
            #expect(call.done == [])
            world.start("accept-audio")
            wait(for: "the answer") { call.done == ["accept audio"] }
        }
    }

    @Test func `who speaks has a ring, and only they`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            wait(for: "the tiles") { tiles(world).count == 3 }
            let voice = try #require(call.voices[.of(3)])
            wait(for: "somebody to listen") { voice.isHeard }
            voice.send(2)
            @MainActor func rings() -> [String] {
                places(world).filter { place in
                    descendants(of: place.raw).contains { gtk_widget_has_css_class($0.pointer(), "speaking-2") != 0 }
                }.map(\.name)
            }
            wait(for: "the ring") { rings() == ["Cleo"] }
            call.change { $0.group?.members[1].microphone = false }
            wait(for: "no ring of who is muted") { rings() == [] }
            call.change { $0.group?.members[1].stage = .left }
            wait(for: "nobody to listen") { !voice.isHeard }
        }
    }

    @Test func `a microphone that the system has muted is told as in a call of two, and unmuted from the page`() throws
    {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            #expect(!shows("The system has muted the microphone", in: world))
            call.change { $0.isMicrophoneMutedBySystem = true }
            wait(for: "what the system does") { shows("The system has muted the microphone", in: world) }
            try #require(textButton("Unmute", in: world)).emit("clicked")
            wait(for: "the wish") { call.done == ["unmute"] }
            call.change { $0.isMicrophoneMutedBySystem = false }
            wait(for: "nothing to be told") { !shows("The system has muted the microphone", in: world) }
        }
    }

    @Test func `keys and buttons mute, raise the hand, show who takes part, and leave`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            wait(for: "the call") { canPress("Raise your hand", in: world) }
            #expect(!isShown("Put the call on hold", in: world))
            try button("Raise your hand", in: world.window.root).emit("clicked")
            wait(for: "the hand") { call.done == ["hand true"] && canPress("Lower your hand", in: world) }
            world.start("hand")
            wait(for: "the hand to go") { call.done == ["hand true", "hand false"] }
            world.start("mute")
            wait(for: "the microphone") { call.done.last == "microphone false" }
            #expect(!shows("3 people in the call", in: world))
            world.start("people")
            wait(for: "who takes part") { shows("3 people in the call", in: world) }
            for action in ["hold", "connection", "flip-camera"] { world.start(action) }
            try button("Leave the call", in: world.window.root).emit("clicked")
            wait(for: "the end") { call.done.last == "hang up" }
            #expect(!call.done.contains("hold"))
        }
    }

    @Test(arguments: [false, true])
    func `the screen is shared after a question, with or without sound, which is said with a button to stop`(
        hasSound: Bool
    ) throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            wait(for: "the call") { canPress("Share your screen", in: world) }
            try button("Share your screen", in: world.window.root).emit("clicked")
            wait(for: "the question") { world.dialogs[.sharing] != nil }
            #expect(call.done == [], "nothing is shared before an answer")
            let dialog = try #require(world.dialogs[.sharing]).window.root
            @MainActor func pressed(_ response: String) -> Widget? {
                descendants(of: dialog).first { widget in
                    widget.isA(gtk_button_get_type())
                        && descendants(of: widget).contains { $0.isA(gtk_label_get_type()) && $0.text == response }
                }
            }
            try #require(pressed(hasSound ? "Share with system sound" : "Share without sound")).emit("clicked")
            let told = hasSound ? "You are sharing your screen and its sound" : "You are sharing your screen"
            wait(for: "the screen") { call.done == ["share \(hasSound)"] && shows(told, in: world) }
            #expect(shows("and its sound", in: world) == hasSound)
            try button("Stop sharing your screen now", in: world.window.root).emit("clicked")
            wait(for: "the end") {
                call.done == ["share \(hasSound)", "stop sharing"] && canPress("Share your screen", in: world)
                    && !shows(told, in: world)
            }
        }
    }

    @Test func `a shared screen is large and whole, until the person wants the grid`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            wait(for: "the tiles") { tiles(world) == ["Ben", "Cleo", "You"] }
            @MainActor func fits(_ name: String) throws -> GtkContentFit {
                let tile = try #require(places(world).first { $0.name == name }?.raw)
                let picture = try #require(descendants(of: tile).first { $0.isA(gtk_picture_get_type()) })
                return gtk_picture_get_content_fit(picture.pointer())
            }
            call.videos[.of(3)]?.push(FakePicture(width: 320, height: 180, hue: 0, step: 0))
            call.change { $0.group?.members[1].screen = true }
            wait(for: "the screen") { span("Cleo’s screen", in: world).max() == 6 }
            #expect(try fits("Cleo’s screen") == GTK_CONTENT_FIT_CONTAIN)
            try button("Show everybody at the same size", in: world.window.root).emit("clicked")
            wait(for: "the grid") { span("Cleo’s screen", in: world) == [2, 1] }
            try button("Show the shared screen large", in: world.window.root).emit("clicked")
            wait(for: "the screen again") { span("Cleo’s screen", in: world).max() == 6 }
            call.change { $0.group?.members[1].screen = false }
            call.change { $0.group?.members[1].camera = true }
            call.videos[.of(3)]?.push(FakePicture(width: 320, height: 180, hue: 0, step: 1))
            wait(for: "the camera in its tile") { span("Cleo", in: world) == [2, 1] }
            #expect(try fits("Cleo") == GTK_CONTENT_FIT_COVER)
        }
    }

    @Test func `whose pictures no window shows is told so, and asked for them again once it is shown`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            let (ben, cleo) = (try #require(call.videos[.of(2)]), try #require(call.videos[.of(3)]))
            wait(for: "the tiles") { tiles(world).count == 3 && ben.isWatched && cleo.isWatched }
            #expect(ben.shownSize != .hidden && cleo.shownSize != .hidden)
            world.start("collapse")
            wait(for: "the small window") { world.windows.isCollapsed && cleo.shownSize == .hidden }
            #expect(ben.shownSize != .hidden, "the small window shows Ben")
            let voice = try #require(call.voices[.of(3)])
            wait(for: "somebody to listen") { voice.isHeard }
            voice.send(2)
            wait(for: "Cleo in his place") { cleo.shownSize != .hidden && ben.shownSize == .hidden }
            call.change { $0.group?.members.append(Self.dan) }
            let dan = try #require(call.videos[.of(4)])
            wait(for: "who comes to be hidden") { dan.isWatched && dan.shownSize == .hidden }
            world.start("expand")
            wait(for: "all") { [ben, cleo, dan].allSatisfy { $0.shownSize != .hidden } }
            wait(for: "a narrow window") {
                gtk_window_set_default_size(world.window.root.pointer(), 400, 600)
                return gtk_widget_get_width(world.window.root.pointer()) < 760
            }
            world.start("people")
            wait(for: "nobody behind the participants") { [ben, cleo, dan].allSatisfy { $0.shownSize == .hidden } }
            world.start("people")
            wait(for: "all again") { [ben, cleo, dan].allSatisfy { $0.shownSize != .hidden } }
        }
    }

    @Test func `the host removes, and anybody invites`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            var invited: [String] = []
            world.onInvite = { invited.append($0.name) }
            world.windows.show(contacts: [.someone("Ben"), .someone("Dan"), .someone("Otto", takes: false)])
            world.start("people")
            wait(for: "who can be invited") { textButton("Invite", in: world) != nil }
            #expect(!isShown("Remove Cleo from the call", in: world))
            try #require(textButton("Invite", in: world)).emit("clicked")
            #expect(invited == ["Dan"])
            call.change { $0.group?.isHost = true }
            wait(for: "the host's button") { isShown("Remove Cleo from the call", in: world) }
            try button("Remove Cleo from the call", in: world.window.root).emit("clicked")
            wait(for: "the removal") { call.done == ["remove 3"] }
            call.change { $0.group?.members.append(Self.dan) }
            wait(for: "nobody to be invited") { textButton("Invite", in: world) == nil }
        }
    }

    @Test func `the code of each is shown, marked as compared and unmarked, and goes with the call`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            var introduced = Self.cleo
            introduced.contact = nil
            let call = StillGroupCall(.active(since: .now), [Self.ben, introduced])
            world.roster.add(call)
            world.start("people")
            wait(for: "who takes part") { isShown("Options for Cleo", in: world) }
            @MainActor func answer(_ response: String) throws {
                try button("Security code of Cleo", in: world.window.root).emit("clicked")
                wait(for: "the code") { world.dialogs[.memberCode] != nil }
                let dialog = try #require(world.dialogs[.memberCode]).window.root
                #expect(descendants(of: dialog).contains { $0.isA(gtk_label_get_type()) && $0.text == "Code 3" })
                let pressed = descendants(of: dialog).first { widget in
                    widget.isA(gtk_button_get_type())
                        && descendants(of: widget).contains { $0.isA(gtk_label_get_type()) && $0.text == response }
                }
                try #require(pressed).emit("clicked")
                wait(for: "the answer") { world.dialogs[.memberCode] == nil }
            }
            try answer("Both Are the Same")
            wait(for: "the mark") { call.done == ["compared Code 3 of 3"] && compared(world) == 1 }
            try answer("Done")
            try answer("Not Compared")
            wait(for: "no mark") { call.done.last == "compared nothing of 3" && compared(world) == 0 }
            #expect(call.done.count == 2)
            try button("Security code of Ben", in: world.window.root).emit("clicked")
            wait(for: "the other code") { world.dialogs[.memberCode] != nil }
            call.change { $0.stage = .ended(sentence: "Over.") }
            wait(for: "the end") { world.dialogs[.memberCode] == nil }
        }
    }

    @MainActor private func compared(_ world: CallWindowsWorld) -> Int {
        descendants(of: world.window.root).count {
            $0[property: "tooltip-text"] == "Security code compared" && gtk_widget_get_mapped($0.pointer()) != 0
        }
    }

    @Test func `who calls again after the end calls all who can`() throws {
        onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            call.change {
                $0.group?.members[0].contact = nil
                $0.stage = .ended(sentence: "Over.")
            }
            wait(for: "the end") { world.window.page == .ended }
            #expect(shows("Ben, Cleo", in: world))
            world.start("call-again")
            wait(for: "the wish") { world.wanted == ["together Cleo"] }
        }
    }

    @Test func `who has left a call that goes on is offered to come back into it, not to call anew`() throws {
        onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            call.change {
                $0.group?.goesOn = true
                $0.stage = .ended(sentence: "You left the call.")
            }
            wait(for: "the end") { world.window.page == .ended }
            wait(for: "the button") { shows("Come Back", in: world) && !shows("Call again", in: world) }
            world.start("call-again")
            wait(for: "the wish") { world.wanted == ["back Ben"] }
        }
    }

    @Test func `a call of several can’t be held for another`() {
        onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let second = StillCall("Eve", .ringingIn)
            world.roster.add(StillGroupCall(.active(since: .now), [Self.ben]))
            second.change { $0.isWaiting = true }
            world.roster.add(second)
            wait(for: "the buttons") { presses("End and accept", in: world) }
            #expect(!presses("Hold and accept", in: world))
        }
    }

    @Test func `the contact of a call asks within it whether others are added, and nothing rings`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let talk = StillCall("Ben", .active(since: .now))
            world.roster.add(talk)
            let call = StillGroupCall(.ringingIn, [Self.ben])
            call.change { $0.group?.adding = ["Cleo", "Dan"] }
            world.roster.add(call)
            wait(for: "the question") { shows("Wants to add Cleo, Dan to the call", in: world) }
            #expect(world.window.page == .call && world.roster.front?.session === talk)
            #expect(!presses("Join", in: world), "a click may have been meant for what was there before")
            wait(for: "the buttons") { presses("Join", in: world) && presses("Stay", in: world) }
            #expect(!presses("Hold and accept", in: world) && !presses("Cancel", in: world))
            try #require(textButton("Join", in: world)).emit("clicked")
            wait(for: "the answer") { call.done == ["accept audio"] }
            call.change {
                $0.group?.adding = nil
                $0.stage = .active(since: .now)
            }
            talk.change { $0.isHeld = true }
            wait(for: "the call of several") { world.roster.front?.session === call }
            #expect(!shows("Wants to add", in: world) && call.done.count == 1)
        }
    }

    @Test func `who is asked stays, and who asks takes it back`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            world.roster.add(StillCall("Ben", .active(since: .now)))
            let asked = StillGroupCall(.ringingIn, [Self.ben])
            asked.change { $0.group?.adding = ["Cleo"] }
            world.roster.add(asked)
            wait(for: "the buttons") { presses("Stay", in: world) }
            try #require(textButton("Stay", in: world)).emit("clicked")
            wait(for: "the answer") { asked.done == ["decline"] }
            asked.change { $0.stage = .ended(sentence: "Declined.") }
            wait(for: "the question to go") { !shows("Wants to add", in: world) }
            let asking = StillGroupCall(.ringingOut, [.someone(2, "Ben", .inviting)])
            asking.change { $0.group?.adding = ["Cleo"] }
            world.roster.add(asking)
            wait(for: "what is asked") { shows("Is asked whether to add Cleo", in: world) }
            #expect(!presses("Join", in: world) && !presses("Stay", in: world))
            try #require(textButton("Cancel", in: world)).emit("clicked")
            wait(for: "it to be taken back") { asking.done == ["hang up"] }
        }
    }

    @Test func `people are added to a call of two where all of them can join`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            var added: [String] = []
            world.windows.onAdd = { added.append($1.contact.name + " + " + $0.map(\.name).joined(separator: " ")) }
            let talk = StillCall("Ben", .active(since: .now))
            world.roster.add(talk)
            world.windows.show(
                contacts: ["Ben", "Cleo", "Dan", "Eve"].map { .someone($0) } + [.someone("Otto", takes: false)])
            wait(for: "the call") { world.window.page == .call }
            #expect(!isShown("Add people to the call", in: world), "calls of several are switched off")
            world.start("add-people")
            #expect(world.dialogs[.addPeople] == nil)
            world.windows.show(takesGroupCalls: true)
            wait(for: "the button") { canPress("Add people to the call", in: world) }
            world.start("add-people")
            let root = try #require(world.dialogs[.addPeople]?.window.root)
            let rows = descendants(of: root).filter { $0.isA(adw_action_row_get_type()) }
            #expect(rows.map(\.text) == ["Cleo", "Dan", "Eve"])
            let add = try #require(
                descendants(of: root).first { $0.isA(gtk_button_get_type()) && $0.text == "_Add to the Call" })
            #expect(!add.isSensitive)
            for row in rows { gtk_widget_activate(row.pointer()) }
            let checks = descendants(of: root).filter { $0.isA(gtk_check_button_get_type()) }
            #expect(checks.map { $0[property: "active"] ?? false } == [true, true, false], "four is the most")
            try add.emit("clicked")
            wait(for: "the wish") { added == ["Ben + Cleo Dan"] && world.dialogs[.addPeople] == nil }

            world.windows.show(takesGroupCalls: true, most: 8)
            world.start("add-people")
            let wide = try #require(world.dialogs[.addPeople]?.window.root)
            for row in descendants(of: wide) where row.isA(adw_action_row_get_type()) {
                gtk_widget_activate(row.pointer())
            }
            let all = descendants(of: wide).filter { $0.isA(gtk_check_button_get_type()) }
            #expect(all.allSatisfy { $0[property: "active"] ?? false }, "over a server there is room for more")
            world.dialogs.close(.addPeople)
            talk.change { $0.isHeld = true }
            wait(for: "no button during a hold") { !isShown("Add people to the call", in: world) }
        }
    }

    @Test func `the small window names those in the call and shows who speaks`() {
        onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillGroupCall(.active(since: .now), [Self.ben, Self.cleo])
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            world.start("collapse")
            wait(for: "the small window") { world.windows.isCollapsed }
            #expect(shows("Ben, Cleo", in: world), "beside the way back")
            wait(for: "somebody to listen") { call.voices[.of(3)]?.isHeard == true }
            call.voices[.of(3)]?.send(2)
            wait(for: "the face of who speaks") { world.presenter.presentation?.group?.speaker?.name == "Cleo" }
            call.change { $0.stage = .ended(sentence: "You left the call.") }
            wait(for: "the contacts") { !world.windows.isCollapsed && world.window.page == .contacts }
        }
    }

    @Test func `several who are chosen are called together, where that is switched on`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            var called: [String] = []
            world.window.onCallTogether { called.append("\($1) " + $0.map(\.name).joined(separator: " ")) }
            world.window.show([.someone("Ada"), .someone("Ben"), .someone("Otto", takes: false)])
            // What has no width was in no frame yet, and nobody could press it.
            @MainActor func find(_ sentence: String) -> Widget? {
                descendants(of: world.window.root).first {
                    $0[property: "tooltip-text"] == sentence && gtk_widget_get_mapped($0.pointer()) != 0
                        && gtk_widget_get_width($0.pointer()) > 0
                }
            }
            @MainActor func check(_ index: Int) {
                let rows = descendants(of: world.window.root).filter { $0.isA(adw_action_row_get_type()) }
                gtk_widget_activate(rows[index].pointer())
            }
            wait(for: "the contacts") { find("Select contacts") != nil }
            try #require(find("Select contacts"))[property: "active"] = true
            check(0)
            check(1)
            #expect(find("Call them together") == nil)
            world.window.setTakesGroupCalls(true)
            wait(for: "the button") { find("Call them together")?.isSensitive == true }
            check(2)
            #expect(find("Call them together")?.isSensitive == false)
            check(2)
            try #require(find("Video call with them together")).emit("clicked")
            #expect(called == ["video Ada Ben"])
            wait(for: "the choice to be over") { find("Call them together") == nil }
        }
    }

    @Test func `the preferences switch calls of several on and off`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            world.dialogs.showPreferences()
            let root = try #require(world.dialogs.open[.preferences]?.window.root)
            let row = try #require(
                descendants(of: root).first { $0[property: "title"] == "Make and take calls of several people" })
            let toggle = try #require(descendants(of: row).first { $0.isA(gtk_switch_get_type()) })
            #expect(toggle[property: "active"] == false)
            toggle[property: "active"] = true
            wait(for: "the choice") { world.provider.takesGroups }
            toggle[property: "active"] = false
            wait(for: "the other choice") { !world.provider.takesGroups }
        }
    }
}
