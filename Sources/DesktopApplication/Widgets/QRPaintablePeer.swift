import CGtk
import GLibKit
import QRCodes

/// The `GdkPaintable` behind `QRPicture`: a code on white, whatever the window's colours are, each module of as many whole pixels as fit.
/// Used by GTK on the main thread only.
final class QRPaintablePeer: InstancePeer {
    static let gclass: SubclassedType<QRPaintablePeer> = .init(
        name: "ParleyQRPaintable", parent: FundamentalType.object.rawValue,
        interfaces: [
            ImplementedInterface(gdk_paintable_get_type()) { structure in
                let interface = structure.assumingMemoryBound(to: GdkPaintableInterface.self)
                interface.pointee.snapshot = { paintable, snapshot, width, height in
                    guard let paintable, let snapshot else { return }
                    gclass.peer(of: paintable).draw(snapshot, width: width, height: height)
                }
                interface.pointee.get_flags = { _ in
                    GdkPaintableFlags(GDK_PAINTABLE_STATIC_SIZE.rawValue | GDK_PAINTABLE_STATIC_CONTENTS.rawValue)
                }
                interface.pointee.get_intrinsic_width = { paintable in
                    paintable.map { gclass.peer(of: $0).side } ?? 0
                }
                interface.pointee.get_intrinsic_height = { paintable in
                    paintable.map { gclass.peer(of: $0).side } ?? 0
                }
            }
        ])

    /// Pixels that the picture of a link is to have at a side, if its modules can be that small.
    private static let usualSide = 248
    /// Pixels of the smallest module: readers at arm's length lose smaller ones.
    private static let leastModule = 2

    /// Set once, before anybody sees it.
    var code: QRCode?

    private var modules: Int { code.map { $0.side + 2 * QRCode.quietZone } ?? 0 }

    private var side: Int32 {
        modules == 0 ? 0 : Int32(modules * max(Self.leastModule, Self.usualSide / modules))
    }

    private func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        guard let code, width > 0, height > 0 else { return }
        fill(snapshot, GdkRGBA(red: 1, green: 1, blue: 1, alpha: 1), 0, 0, width, height)
        let room = min(width, height) / Double(modules)
        let module = room >= 1 ? room.rounded(.down) : room
        let left = ((width - module * Double(modules)) / 2).rounded(.down) + module * Double(QRCode.quietZone)
        let top = ((height - module * Double(modules)) / 2).rounded(.down) + module * Double(QRCode.quietZone)
        let dark = GdkRGBA(red: 0, green: 0, blue: 0, alpha: 1)
        for row in 0..<code.side {
            for run in code.darkRuns(inRow: row) {
                fill(
                    snapshot, dark, left + module * Double(run.lowerBound), top + module * Double(row),
                    module * Double(run.count), module)
            }
        }
    }

    private func fill(
        _ snapshot: OpaquePointer, _ colour: GdkRGBA, _ left: Double, _ top: Double, _ width: Double, _ height: Double
    ) {
        var colour = colour
        var area = graphene_rect_t(
            origin: graphene_point_t(x: Float(left), y: Float(top)),
            size: graphene_size_t(width: Float(width), height: Float(height)))
        gtk_snapshot_append_color(snapshot, &colour, &area)
    }
}
