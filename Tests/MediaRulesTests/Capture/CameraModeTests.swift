import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct CameraModeTests {
    private static let (standard, high) = (CameraQuality.standard.size, CameraQuality.high.size)

    private func mode(_ coding: CameraMode.Coding, _ width: Int, _ height: Int, _ rate: Int) -> CameraMode {
        CameraMode(coding, PictureSize(width: width, height: height), rate: PictureRate(rate))
    }

    /// A usual one of USB 2: large pictures smooth only as JPEG.
    private var usual: [CameraMode] {
        [
            mode(.raw("YUY2"), 640, 480, 30), mode(.raw("YUY2"), 1_280, 720, 10), mode(.raw("YUY2"), 1_920, 1_080, 5),
            mode(.jpeg, 640, 480, 30), mode(.jpeg, 1_280, 720, 30), mode(.jpeg, 1_920, 1_080, 30),
            mode(.raw("YUY2"), 160, 120, 30),
        ]
    }

    @Test func `large pictures are taken as JPEG where they are smooth only so`() {
        #expect(CameraMode.best(of: usual, for: Self.standard) == mode(.jpeg, 1_280, 720, 30))
        #expect(CameraMode.best(of: usual, for: Self.high) == mode(.jpeg, 1_920, 1_080, 30))
    }

    @Test func `pictures that are as good and need no decoding are taken`() {
        let offers = usual + [mode(.raw("YUY2"), 1_280, 720, 30)]
        #expect(CameraMode.best(of: offers, for: Self.standard) == mode(.raw("YUY2"), 1_280, 720, 30))
    }

    @Test func `pictures whose colours need no conversion are taken`() {
        let offers = ["YUY2", "I420", "NV12", "RGB"].map { mode(.raw($0), 1_280, 720, 30) }
        #expect(CameraMode.best(of: offers, for: Self.standard)?.coding == .raw("I420"))
        #expect(
            CameraMode.best(of: offers.filter { $0.coding != .raw("I420") }, for: Self.standard)?.coding == .raw("NV12")
        )
    }

    @Test func `a camera of 640 by 480 only opens as it did`() {
        let offers = [mode(.raw("YUY2"), 640, 480, 30), mode(.raw("YUY2"), 320, 240, 30)]
        let formats = CameraMode.formats(offers, for: Self.standard)
        #expect(formats.hasPrefix("video/x-raw,format=YUY2,width=640,height=480,framerate=30/1;"))
        #expect(formats.hasSuffix(";\(CameraMode.usual)"))
    }

    @Test func `smooth pictures of 640 by 480 are better than ten large ones a second`() {
        let offers = usual.filter { $0.coding != .jpeg }
        #expect(CameraMode.best(of: offers, for: Self.standard) == mode(.raw("YUY2"), 640, 480, 30))
    }

    @Test func `no more pixels are taken than are sent, where that makes no difference`() {
        let offers = [mode(.raw("YUY2"), 1_920, 1_080, 30), mode(.raw("YUY2"), 1_280, 720, 30)]
        #expect(CameraMode.best(of: offers, for: Self.standard)?.size == Self.standard)
        #expect(CameraMode.best(of: offers, for: PictureSize(width: 640, height: 480))?.size == Self.standard)
    }

    @Test func `as many pictures are taken as are sent, where there is the choice`() {
        let offers = [60, 30, 120].map { mode(.raw("YUY2"), 1_280, 720, $0) }
        #expect(CameraMode.best(of: offers, for: Self.standard)?.rate == PictureRate(30))
    }

    @Test func `a rate of television is as good as thirty`() {
        let tv = CameraMode(.jpeg, Self.standard, rate: PictureRate(30_000, 1_001))
        #expect(CameraMode.best(of: [mode(.jpeg, 640, 480, 30), tv], for: Self.standard) == tv)
        #expect(tv.caps == "image/jpeg,width=1280,height=720,framerate=30000/1001")
    }

    @Test func `a camera that does not say what it has is asked for large smooth pictures first and then as ever`() {
        let wishes = CameraMode.formats([], for: Self.standard).split(separator: ";").map(String.init)
        #expect(wishes.count == 6)
        #expect(wishes.first == "video/x-raw,width=1280,height=720,framerate=[24/1,2147483647/1]")
        #expect(wishes.dropFirst().first == "image/jpeg,width=1280,height=720,framerate=[24/1,2147483647/1]")
        #expect(wishes.dropFirst(2).joined(separator: ";") == CameraMode.usual)
        #expect(CameraMode.formats([], for: Self.high).hasPrefix("video/x-raw,width=1920,height=1080,"))
        #expect(CameraMode.formats([], for: PictureSize(width: 640, height: 480)) == CameraMode.usual)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `what is chosen is offered, and nothing that is offered gives a call more`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let offers = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                CameraMode(
                    [.jpeg, .raw("YUY2"), .raw("I420"), .raw(nil)].randomElement(using: &generator) ?? .jpeg,
                    PictureSize(
                        width: .random(in: 0...2_000, using: &generator),
                        height: .random(in: 0...2_000, using: &generator)),
                    rate: [nil, PictureRate(30), PictureRate(15), PictureRate(0), PictureRate(30, 0)]
                        .randomElement(using: &generator) ?? nil)
            }
            guard let best = CameraMode.best(of: offers, for: Self.standard) else {
                #expect(offers.allSatisfy { $0.size.width < 16 || $0.size.height < 16 })
                continue
            }
            #expect(offers.contains(best))
            let smooth = offers.filter { $0.rate == PictureRate(30) && $0.size.width >= 16 && $0.size.height >= 16 }
            let most = smooth.map { $0.size.fitted(into: Self.standard).pixels }.max() ?? 0
            #expect(best.size.fitted(into: Self.standard).pixels >= most)
        }
    }

    @Test func `who saves data opens a small camera`() {
        var choices = PictureChoices()
        #expect(choices.cameraSize == Self.standard)
        choices.camera = .high
        #expect(choices.cameraSize == Self.high)
        choices.savesData = true
        #expect(choices.cameraSize == PictureSize(width: 640, height: 480))
    }
}
