import CGStreamer
import Testing

@testable import Media
@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct CameraModesTests {
    private func modes(_ text: String) throws -> [CameraMode] {
        try MediaRuntime.start()
        let caps = try #require(gst_caps_from_string(text))
        defer { gst_caps_unref(caps) }
        return CameraModes.read(caps)
    }

    @Test func `sizes, formats and rates of a camera are read, one by one and in lists`() throws {
        let read = try modes(
            """
            video/x-raw,format=YUY2,width=640,height=480,framerate={30/1,15/1}; \
            video/x-raw,format={NV12,I420},width=1280,height=720,framerate=10/1; \
            image/jpeg,width=1920,height=1080,framerate={5/1,60/1,30/1}; video/x-h264,width=1920,height=1080
            """)
        #expect(
            read == [
                CameraMode(.raw("YUY2"), PictureSize(width: 640, height: 480), rate: PictureRate(30)),
                CameraMode(.raw("NV12"), PictureSize(width: 1_280, height: 720), rate: PictureRate(10)),
                CameraMode(.raw("I420"), PictureSize(width: 1_280, height: 720), rate: PictureRate(10)),
                CameraMode(.jpeg, PictureSize(width: 1_920, height: 1_080), rate: PictureRate(30)),
            ])
    }

    @Test func `of sizes and rates within bounds the common ones are taken`() throws {
        let read = try modes("video/x-raw,format=YUY2,width=[32,1300],height=[32,1300],framerate=[1/1,60/1]")
        #expect(read.map(\.size.width) == [1_280, 640, 320])
        #expect(read.allSatisfy { $0.rate == PictureRate(30) })
        #expect(try modes("image/jpeg,width=640,height=480,framerate=[1/1,15/1]").map(\.rate) == [PictureRate(15)])
    }

    @Test(arguments: [
        "ANY", "EMPTY", "audio/x-raw", "video/x-raw", "video/x-raw,width=1280", "image/jpeg,width=\"x\",height=1",
    ])
    func `caps that say nothing of sizes are no offer`(text: String) throws {
        #expect(try modes(text).isEmpty)
    }

    @Test func `a camera without a rate is an offer`() throws {
        #expect(
            try modes("image/jpeg,width=640,height=480")
                == [CameraMode(.jpeg, PictureSize(width: 640, height: 480), rate: nil)])
    }
}
