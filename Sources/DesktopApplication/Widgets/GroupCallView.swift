import CGtk
import GLibKit
import Signaling
import Wording

/// The page of a call of several: a tile for each person, the controls, and those who take part beside or in place of the tiles.
@MainActor final class GroupCallView {
    /// The page.
    let root: Widget
    /// Where the focus begins.
    var first: Widget { controls.microphone }
    /// Where the focus rests while that can't be used: on nothing that a key would press.
    let rest: Widget
    /// Those who take part.
    let people: GroupPeople
    /// Called when the person begins to talk by holding Space, and when they stop.
    var onTalk: (Bool) -> Void = { _ in }
    /// Called when tiles are hidden by those who take part, or shown again.
    var onCover: () -> Void = {}
    /// Whether those who take part are shown in place of the tiles.
    private(set) var hidesTiles = false { didSet { if hidesTiles != oldValue { onCover() } } }
    /// Called with whom the person pins, or no longer.
    var onPin: (MemberNumber) -> Void = { _ in }
    private let template = Template("group-call-view")
    private let controls: ControlBar
    private let grid: Widget
    private let preview = GroupTile()
    private let local: VideoPaintable
    private let picture: @MainActor (MemberNumber) -> VideoPaintable?
    private var tiles: [MemberNumber: GroupTile] = [:]
    private var places: [MemberNumber: TileGrid.Place] = [:]
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
        talk = TalkKey(on: root, microphone: controls.microphone) { [weak self] in
            PushToTalk.Situation(self?.microphone, isWanted: talksWithSpace())
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
        template["system_mute_label"].text = call.systemMuteSentence ?? ""
        template["system_mute"].isVisible = call.systemMuteSentence != nil
        template["sharing_label"].text = call.sharingSentence ?? ""
        template["sharing"].isVisible = call.sharingSentence != nil
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
        template["view_button"].isVisible = group.view != nil
        if let view = group.view { template["view_button"].show(view) }
        rest.takeFocusOfNobody()
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
        template["people"][property: "margin-start"] = hasRoom ? 0 : 12
        hidesTiles = showsPeople && !hasRoom
        template["stage"].isVisible = !hidesTiles
        controls.show(isShowingPeople: showsPeople)
        let places = TileGrid.places(
            of: group.tiles.count, group.layout, isHigh: size.height > size.width)
        put(zip(group.tiles, places).map { ($0.id, $1) })
        let columns = max(1, places.map { $0.column + $0.width }.max() ?? 1)
        let rows = max(1, places.map { $0.row + $0.height }.max() ?? 1)
        let width = size.width - (showsPeople && hasRoom ? Self.peopleWidth : 0)
        for (tile, place) in zip(group.tiles, places) {
            tiles[tile.id]?.show(tile, tile.isOwn ? local : picture(tile.id))
            // Header and controls take about 150 pixels.
            tiles[tile.id]?.fit(
                width: width * place.width / columns, height: (size.height - 150) * place.height / rows)
        }
        preview.fit(width: 120, height: 90)
    }

    /// A tile stays the widget it is, wherever it goes, and keeps the focus.
    private func put(_ wanted: [(tile: MemberNumber, place: TileGrid.Place)]) {
        for (number, tile) in tiles where !wanted.contains(where: { $0.tile == number }) {
            gtk_grid_remove(grid.pointer(), tile.root.pointer())
            (tiles[number], places[number]) = (nil, nil)
        }
        for (number, place) in wanted where places[number] != place {
            places[number] = place
            if let tile = tiles[number] {
                move(tile, to: place)
            } else {
                let tile = makeTile(of: number)
                gtk_grid_attach(
                    grid.pointer(), tile.root.pointer(), gint(place.column), gint(place.row), gint(place.width),
                    gint(place.height))
            }
        }
    }

    private func makeTile(of number: MemberNumber) -> GroupTile {
        let tile = GroupTile()
        tile.onPin = { [weak self] in self?.onPin(number) }
        tiles[number] = tile
        return tile
    }

    private func move(_ tile: GroupTile, to place: TileGrid.Place) {
        let layout = gtk_widget_get_layout_manager(grid.pointer())
        guard let child = gtk_layout_manager_get_layout_child(layout, tile.root.pointer()) else { return }
        let object = Object(retaining: UnsafeMutableRawPointer(child))
        object[property: "column"] = place.column
        object[property: "row"] = place.row
        object[property: "column-span"] = place.width
        object[property: "row-span"] = place.height
    }
}
