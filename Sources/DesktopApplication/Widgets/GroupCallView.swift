import CGtk
import GLibKit
import Signaling
import Wording

/// The page of a call of several: a tile for each person, the controls, and those who take part beside or in place of the tiles.
@MainActor final class GroupCallView {
    /// The page.
    let root: Widget
    /// Where the focus rests until the person moves it: on nothing that a key would press.
    let rest: Widget
    /// Those who take part.
    let people: GroupPeople
    /// Called when the person begins to talk by holding Space, and when they stop.
    var onTalk: (Bool) -> Void = { _ in }
    private let template = Template("group-call-view")
    private let controls: ControlBar
    private let grid: Widget
    private let preview = GroupTile()
    private let local: VideoPaintable
    private let picture: @MainActor (MemberNumber) -> VideoPaintable?
    private var tiles: [MemberNumber: GroupTile] = [:]
    private var places: [(tile: MemberNumber, column: Int, row: Int)] = []
    private var shown: GroupPresentation?
    private var size = (width: 0, height: 0)
    private var showsPeople = false
    private var watch: SurfaceSize?
    private var talk: TalkKey?
    private var microphone: ControlFace?

    /// Below this width those who take part are shown in place of the tiles.
    private static let widthForBoth = 760
    private static let peopleWidth = 320

    /// Shows the own picture, and those of others by their numbers; `onDevice` is told which device the person chooses.
    init(
        local: VideoPaintable, picture: @escaping @MainActor (MemberNumber) -> VideoPaintable?,
        talksWithSpace: @escaping () -> Bool = { false }, onDevice: @escaping DeviceMenu.Choice = { _, _ in }
    ) {
        (self.local, self.picture) = (local, picture)
        root = template.root
        rest = template["rest"]
        grid = template["tiles"]
        controls = ControlBar(onDevice: onDevice)
        people = GroupPeople(template)
        gtk_box_append(template["bottom"].pointer(), controls.root.pointer())
        adw_clamp_set_child(template["preview"].pointer(), preview.root.pointer())
        talk = TalkKey(on: root) { [weak self] in
            guard let microphone = self?.microphone else { return PushToTalk.Situation() }
            return PushToTalk.Situation(
                isWanted: talksWithSpace(), isMuted: microphone.isTurnedOff, canTalk: microphone.isEnabled)
        }
        talk?.onTalk = { [weak self] isTalking in
            self?.template["talking"].isVisible = isTalking
            self?.onTalk(isTalking)
        }
        root.addKey("Escape", starting: "call.leave-full-screen")
        watch = SurfaceSize(of: root) { [weak self] width, height in
            guard let self else { return }
            size = (width, height)
            controls.fit(width: width)
            arrange()
        }
    }

    /// Shows the state of the call.
    func show(_ call: CallPresentation) {
        guard let group = call.group else { return }
        let title = template["title"]
        title.text = call.name
        title[property: "subtitle"] = call.status
        if shown?.title != group.title { rest.setAccessibleLabel(call.name) }
        template["notice"].text = call.notice ?? ""
        template["notice"].isVisible = call.notice != nil
        shown = group
        arrange()
        preview.root.isVisible = group.preview != nil
        template["preview"].isVisible = group.preview != nil
        if let own = group.preview { preview.show(own, local) }
        people.show(group)
        microphone = call.controls.microphone
        if !call.controls.microphone.isEnabled { talk?.release() }
        controls.show(call.controls)
        controls.show(call.devices)
    }

    /// Shows how loud somebody speaks, from 0 to 3.
    func show(speaking step: Int, of member: MemberNumber) { tiles[member]?.show(speaking: step) }

    /// Shows how loud our microphone is, from 0 to 1.
    func show(level: Double) { controls.show(level: level) }

    /// Shows those who take part, or hides them.
    func togglePeople() {
        showsPeople.toggle()
        arrange()
    }

    private func arrange() {
        guard let group = shown else { return }
        let hasRoom = size.width >= Self.widthForBoth
        template["people"].isVisible = showsPeople
        gtk_widget_set_hexpand(template["people"].pointer(), hasRoom ? 0 : 1)
        template["stage"].isVisible = hasRoom || !showsPeople
        controls.show(isShowingPeople: showsPeople)
        let places = TileGrid.places(
            of: group.tiles.count, columns: group.columns, isHigh: size.height > size.width)
        let wanted = zip(group.tiles, places).map { (tile: $0.id, column: $1.column, row: $1.row) }
        if !wanted.elementsEqual(self.places, by: ==) { put(wanted) }
        let columns = max(1, (places.map(\.column).max() ?? 0) / TileGrid.width + 1)
        let rows = 1 + (places.map(\.row).max() ?? 0)
        let width = size.width - (showsPeople && hasRoom ? Self.peopleWidth : 0)
        for tile in group.tiles {
            tiles[tile.id]?.show(tile, tile.isOwn ? local : picture(tile.id))
            // Header and controls take about 150 pixels.
            tiles[tile.id]?.fit(width: width / columns, height: (size.height - 150) / rows)
        }
        preview.fit(width: 120, height: 90)
    }

    /// A tile stays the widget it is, wherever it goes; one that stays where it is keeps the focus.
    private func put(_ wanted: [(tile: MemberNumber, column: Int, row: Int)]) {
        for place in places where !wanted.contains(where: { $0 == place }) {
            if let tile = tiles[place.tile] { gtk_grid_remove(grid.pointer(), tile.root.pointer()) }
        }
        tiles = tiles.filter { number, _ in wanted.contains { $0.tile == number } }
        for place in wanted where !places.contains(where: { $0 == place }) {
            let tile = tiles[place.tile] ?? GroupTile()
            tiles[place.tile] = tile
            gtk_grid_attach(
                grid.pointer(), tile.root.pointer(), gint(place.column), gint(place.row), gint(TileGrid.width), 1)
        }
        places = wanted
    }
}
