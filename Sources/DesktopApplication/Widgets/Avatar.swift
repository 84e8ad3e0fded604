import CGtk
import GLibKit
import Pictures
import Signaling

/// Somebody's avatar: their picture, or their initials while there is none that can be drawn.
@MainActor final class Avatar {
    private let widget: Widget
    private var shown: ProfilePicture?

    /// What was drawn, so that the same picture is not decoded for each row. Few: a picture has up to a megabyte.
    private static var textures: [ProfilePicture: Object] = [:]
    private static let textureLimit = 64

    /// Fills an AdwAvatar.
    init(_ widget: Widget) { self.widget = widget }

    /// Shows a person.
    func show(name: String, picture: ProfilePicture? = nil) {
        widget.text = name
        guard picture != shown else { return }
        shown = picture
        set(picture.flatMap { Self.textures[$0] })
        guard let picture, Self.textures[picture] == nil else { return }
        Task { [weak self] in
            // Away from the main thread, whatever it takes.
            let drawn = await Task.detached { try? DrawnPicture(picture) }.value
            guard let texture = drawn.flatMap(Self.texture) else { return }
            if Self.textures.count >= Self.textureLimit { Self.textures = [:] }
            Self.textures[picture] = texture
            // Meanwhile it may have become somebody else's.
            if let self, shown == picture { set(texture) }
        }
    }

    private func set(_ texture: Object?) {
        adw_avatar_set_custom_image(widget.pointer(), texture?.pointer())
    }

    private static func texture(_ picture: DrawnPicture) -> Object? {
        let bytes = g_bytes_new(picture.pixels, gsize(picture.pixels.count))
        defer { g_bytes_unref(bytes) }
        return gdk_memory_texture_new(
            gint(clamping: picture.width), gint(clamping: picture.height), GDK_MEMORY_R8G8B8A8, bytes,
            gsize(picture.width * 4)
        )
        .map { Object(adopting: UnsafeMutableRawPointer($0)) }
    }
}
