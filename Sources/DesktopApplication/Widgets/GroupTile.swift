import CGtk
import GLibKit
import Wording

/// One person in a call of several: their camera or their face, the name, and what is to be known of them.
@MainActor final class GroupTile {
    /// The tile.
    let root: Widget
    private let template = Template("group-tile")
    private let avatar: Avatar
    private let picture: Widget
    private var shown: GroupPresentation.Tile?
    private var step = 0

    /// An empty one.
    init() {
        root = template.root
        avatar = Avatar(template["avatar"])
        picture = template["picture"]
    }

    /// Shows somebody, with their picture where that comes.
    func show(_ tile: GroupPresentation.Tile, _ video: VideoPaintable?) {
        if tile.showsVideo, let video, gtk_picture_get_paintable(picture.pointer()) != video.object.pointer() {
            gtk_picture_set_paintable(picture.pointer(), video.object.pointer())
        }
        guard tile != shown else { return }
        shown = tile
        avatar.show(name: tile.name, picture: tile.picture)
        template["name"].text = tile.name
        picture.isVisible = tile.showsVideo
        template["face"].isVisible = !tile.showsVideo
        template["sentence"].text = tile.sentence ?? ""
        template["sentence"].isVisible = tile.sentence != nil
        template["muted"].isVisible = tile.isMuted
        template["hand"].isVisible = tile.hasRaisedHand
        root.setAccessibleLabel(tile.description)
        picture.setAccessibleLabel(tile.isOwn ? tr("Your own picture") : tr("Picture of %s", tile.name))
        if !tile.showsSpeaking { step = 0 }
        showSpeaking()
    }

    /// Shows how loud they speak, from 0 to 3: as a ring around their face, or around the tile where their camera is seen. Without
    /// animations the ring has one size.
    func show(speaking step: Int) {
        guard shown?.showsSpeaking == true else { return }
        self.step = step
        showSpeaking()
    }

    private func showSpeaking() {
        let ring = adw_get_enable_animations(root.pointer()) == 0 ? min(step, 1) : step
        for size in 1...3 { template["speaking"].setClass("speaking-\(size)", size == ring) }
        root.setClass("speaking", step > 0 && shown?.showsVideo == true)
    }

    /// Fits the face into a tile of this size.
    func fit(width: Int, height: Int) {
        let size = max(40, min(160, min(width, height) * 2 / 5))
        let widget = template["avatar"]
        if widget[property: "size"] != size { widget[property: "size"] = size }
    }
}
