import CGtk
import GLibKit

/// The `GdkPaintable` behind `VideoPaintable`: shows the texture it was given last, mirrored if wanted. Used by GTK on the
/// main thread only.
final class PaintablePeer: InstancePeer {
    static let gclass: SubclassedType<PaintablePeer> = .init(
        name: "ParleyVideoPaintable", parent: FundamentalType.object.rawValue,
        interfaces: [
            ImplementedInterface(gdk_paintable_get_type()) { structure in
                let interface = structure.assumingMemoryBound(to: GdkPaintableInterface.self)
                interface.pointee.snapshot = { paintable, snapshot, width, height in
                    guard let paintable, let snapshot else { return }
                    gclass.peer(of: paintable).draw(snapshot, width: width, height: height)
                }
                interface.pointee.get_intrinsic_width = { paintable in
                    paintable.map { gclass.peer(of: $0).width } ?? 0
                }
                interface.pointee.get_intrinsic_height = { paintable in
                    paintable.map { gclass.peer(of: $0).height } ?? 0
                }
            }
        ])

    var texture: Object?
    var isMirrored = false
    /// How much larger the picture is drawn than its place, and from which of its places on, in parts of it.
    var zoom: (scale: Double, x: Double, y: Double) = (1, 0, 0)
    /// The largest size at which it was drawn since the last look, in the application's pixels; 0 × 0: not at all.
    var drawn: (width: Double, height: Double) = (0, 0)

    var width: Int32 { texture.map { gdk_texture_get_width($0.pointer()) } ?? 0 }
    var height: Int32 { texture.map { gdk_texture_get_height($0.pointer()) } ?? 0 }

    /// Replaces what is shown; tells GTK whether the size changed or only the content.
    func show(_ new: Object?) {
        let before = (width, height)
        texture = new
        if before == (width, height) {
            gdk_paintable_invalidate_contents(pointer())
        } else {
            gdk_paintable_invalidate_size(pointer())
            gdk_paintable_invalidate_contents(pointer())
        }
    }

    private func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        guard let texture else { return }
        let (whole, high) = (width * zoom.scale, height * zoom.scale)
        if whole * high > drawn.width * drawn.height { drawn = (whole, high) }
        guard zoom.scale == 1 else { return drawPart(texture, snapshot, width, height) }
        if isMirrored {
            var origin = graphene_point_t(x: Float(width), y: 0)
            gtk_snapshot_save(snapshot)
            gtk_snapshot_translate(snapshot, &origin)
            gtk_snapshot_scale(snapshot, -1, 1)
        }
        gdk_paintable_snapshot(texture.pointer(), snapshot, width, height)
        if isMirrored { gtk_snapshot_restore(snapshot) }
    }

    private func drawPart(_ texture: Object, _ snapshot: OpaquePointer, _ width: Double, _ height: Double) {
        let (whole, high) = (width * zoom.scale, height * zoom.scale)
        var place = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0), size: graphene_size_t(width: Float(width), height: Float(height)))
        var origin = graphene_point_t(x: Float(-zoom.x * whole), y: Float(-zoom.y * high))
        gtk_snapshot_push_clip(snapshot, &place)
        gtk_snapshot_save(snapshot)
        gtk_snapshot_translate(snapshot, &origin)
        gdk_paintable_snapshot(texture.pointer(), snapshot, whole, high)
        gtk_snapshot_restore(snapshot)
        gtk_snapshot_pop(snapshot)
    }
}
