/// How good what goes to a room may be, by how many receive all of it from each other.
package struct RoomBounds: Sendable, Equatable {
    /// From so many others on each of them takes more sounds and pictures than is of use.
    static let many = 4

    /// The largest pictures.
    package let pictures: PictureSize
    /// The best ``SoundStep``, counted from 0: seven others' voices in short pieces are half a megabit a second, and 350 packets.
    package let soundStep: Int

    /// With so many others in the room.
    package init(others: Int) {
        let isMany = others >= Self.many
        pictures = isMany ? PictureSize(width: 640, height: 360) : PictureSize(width: 1_280, height: 720)
        soundStep = isMany ? 1 : 0
    }
}
