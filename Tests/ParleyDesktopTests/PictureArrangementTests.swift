import BaseKit
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct PictureArrangementTests {
    /// What of a call is seen, and where it then lies.
    struct Row: CustomTestStringConvertible, Sendable {
        var camera = false
        var screen = false
        var own = false
        var isSwapped = false
        let large: PictureArrangement.Picture?
        let small: PictureArrangement.Picture?
        var beside: PictureArrangement.Picture?
        var testDescription: String { "camera \(camera) screen \(screen) own \(own) swapped \(isSwapped)" }
    }

    static let rows = [
        Row(large: nil, small: nil),
        Row(own: true, large: nil, small: .own),
        Row(own: true, isSwapped: true, large: nil, small: .own),
        Row(camera: true, large: .theirCamera, small: nil),
        Row(camera: true, isSwapped: true, large: .theirCamera, small: nil),
        Row(camera: true, own: true, large: .theirCamera, small: .own),
        Row(camera: true, own: true, isSwapped: true, large: .own, small: .theirCamera),
        Row(screen: true, own: true, large: .theirScreen, small: .own),
        Row(camera: true, screen: true, own: true, large: .theirScreen, small: .own, beside: .theirCamera),
        Row(
            camera: true, screen: true, own: true, isSwapped: true, large: .own, small: .theirScreen,
            beside: .theirCamera),
    ]

    @Test(arguments: rows) func `each picture has its place, and two of them change it`(row: Row) {
        var snapshot = CallSnapshot(stage: .active(since: .now), cameraEnabled: row.own, peerCamera: row.camera)
        snapshot.peerScreen = row.screen
        let call = CallPresentation(
            contact: ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true), kind: .video,
            snapshot: snapshot, cameraCount: 1,
            surroundings: .init(
                now: .now, hasRemotePicture: row.camera, hasRemoteScreen: row.screen, hasLocalPicture: row.own))
        let pictures = PictureArrangement(call, isSwapped: row.isSwapped)
        #expect(pictures.large == row.large)
        #expect(pictures.small == row.small)
        #expect(pictures.beside == row.beside)
        #expect(pictures.canSwap == (row.own && (row.camera || row.screen)))
    }
}
