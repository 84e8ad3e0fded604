import CGtk
import GLibKit
import Wording

/// One person in a call of several: their camera, the screen that they share or their face, the name, and what is to be known of them. A click on it, Return or Space
/// pins them, or no longer.
@MainActor final class GroupTile {
    /// The tile.
    let root: Widget
    /// Called when the person pins whom it shows, or no longer.
    var onPin: () -> Void = {}
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
        let clicks = Object(adopting: UnsafeMutableRawPointer(gtk_gesture_click_new()))
        clicks.connect("released") { [weak self] _ in self?.pin() }
        let keys = Object(adopting: UnsafeMutableRawPointer(gtk_event_controller_key_new()))
        keys.connect("key-pressed", returning: Bool.self) { [weak self] arguments in
            let key = arguments.get(0, as: UInt32.self).map { Int32(bitPattern: $0) }
            guard let key, Self.keys.contains(key), let self else { return false }
            return pin()
        }
        for controller in [clicks, keys] {
            g_object_ref(controller.raw)  // the tile takes a reference over
            gtk_widget_add_controller(root.pointer(), controller.pointer())
        }
    }

    private static let keys = [GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space, GDK_KEY_KP_Space]

    /// Gives whether there was something to do.
    @discardableResult private func pin() -> Bool {
        guard shown?.canPin == true else { return false }
        onPin()
        return true
    }

    /// Shows somebody, with their picture where that comes.
    func show(_ tile: GroupPresentation.Tile, _ video: VideoPaintable?) {
        if tile.showsVideo, let video, gtk_picture_get_paintable(picture.pointer()) != video.object.pointer() {
            gtk_picture_set_paintable(picture.pointer(), video.object.pointer())
        }
        guard tile != shown else { return }
        shown = tile
        avatar.show(name: tile.name, picture: tile.picture)
        template["name"].text = tile.showsScreen ? tr("%s’s screen", tile.name) : tile.name
        gtk_picture_set_content_fit(
            picture.pointer(), tile.showsScreen ? GTK_CONTENT_FIT_CONTAIN : GTK_CONTENT_FIT_COVER)
        picture.isVisible = tile.showsVideo
        template["face"].isVisible = !tile.showsVideo
        template["sentence"].text = tile.sentence ?? ""
        template["sentence"].isVisible = tile.sentence != nil
        template["muted"].isVisible = tile.isMuted
        template["hand"].isVisible = tile.hasRaisedHand
        template["pinned"].isVisible = tile.isPinned
        root.setClass("pinnable", tile.canPin)
        root.setAccessibleLabel(tile.description)
        picture.setAccessibleLabel(
            tile.isOwn
                ? tr("Your own picture")
                : tile.showsScreen ? tr("%s’s screen", tile.name) : tr("Picture of %s", tile.name))
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
