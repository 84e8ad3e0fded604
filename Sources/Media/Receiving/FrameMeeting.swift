import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Where the opened frames of one member come together, whichever ways they come by: each picture is decoded once, whoever brings it
/// first, and sound is played by one way at a time. Ways may come and go while pictures run.
final class FrameMeeting: Sendable {
    /// How long the pictures of the member's camera take to decode.
    let decoding: DecodeWatch
    private struct Sound {
        var order = SoundOrder()
        var pause = LongestPause()
    }

    private let pictures: [MediaSlot: PictureMeeting]
    private let sounds = Lock<[MediaSlot: Sound]>([:])

    /// `timeline` is the pipeline on whose time all ways run; `latency` in milliseconds is that of the ways.
    init(video: VideoFeed, screen: VideoFeed, timeline: Pipeline, latency: Int) {
        let watch = DecodeWatch()
        decoding = watch
        pictures = [
            .camera: PictureMeeting(feed: video, timeline: timeline, latency: latency, decoding: watch),
            .screen: PictureMeeting(feed: screen, timeline: timeline, latency: latency, decoding: nil),
        ]
    }

    /// A picture was opened that came by a way. On that way's streaming thread.
    func receive(_ sample: Sample, at place: FramePlace, of slot: MediaSlot, by way: Int) -> PictureMeeting.Verdict {
        pictures[slot]?.receive(sample, at: place, by: way) ?? PictureMeeting.Verdict()
    }

    /// A piece of sound was opened that came by a way; whether it is played.
    func plays(_ place: FramePlace, of slot: MediaSlot, by way: Int) -> Bool {
        let now = Instant.now
        return sounds.withLock { sounds in
            guard sounds[slot, default: Sound()].order.admits(place, by: way, now: now) else { return false }
            sounds[slot]?.pause.came(now: now)
            return true
        }
    }

    /// Whether the sound that this way's decoder makes is played, also what it makes up.
    func isFront(_ way: Int, of slot: MediaSlot) -> Bool { sounds.withLock { $0[slot]?.order.isFront(way) ?? false } }

    /// The most pictures that were left out between two that were shown.
    func longestGap(of slot: MediaSlot) -> Int { pictures[slot]?.longestGap ?? 0 }

    /// The stream whose pictures are shown; nil before the first.
    func stream(of slot: MediaSlot) -> GroupStream? { pictures[slot]?.stream }

    /// How many pictures were shown.
    func shown(of slot: MediaSlot) -> Int { pictures[slot]?.shown ?? 0 }

    /// What has come of the member.
    var reception: MemberReception {
        MemberReception(
            isHeard: sounds.withLock { $0[.microphone]?.pause.hasCome ?? false },
            isSeen: pictures.values.contains(where: \.hasShown))
    }

    /// How long the camera's picture stood still and no sound was played at the longest since the last question.
    func takePauses() -> MemberPauses {
        let now = Instant.now
        let sound = sounds.withLock { $0[.microphone]?.pause.take(now: now).longest } ?? .zero
        let picture = pictures[.camera]?.takePause(now: now) ?? .zero
        return MemberPauses(pictures: Int(picture.wholeMilliseconds), sound: Int(sound.wholeMilliseconds))
    }

    /// Lets pictures wait so many milliseconds for those that come late.
    func setLatency(_ latency: Int) { for one in pictures.values { one.setLatency(latency) } }

    /// Nothing comes for now, or with `isOver` any more: gives up the decoders, which the next picture makes anew, with the pictures that
    /// are in them. Gives what is left to be done where it may block.
    func rest(isOver: Bool = false) -> [@Sendable () -> Void] { pictures.values.compactMap { $0.rest(isOver: isOver) } }
}

/// The pictures of one source of a member, from all ways to one decoder.
final class PictureMeeting: Sendable {
    /// What became of a picture.
    struct Verdict: Sendable {
        /// Whether it is shown, or was when it came by another way.
        var isGood = false
        /// Whether a key frame is to be asked for.
        var asksForKeyFrame = false
        /// Whether it costs more to decode than it may.
        var isRefused = false
    }

    private struct State: Sendable {
        var order = PictureOrder<Sample>()
        var budget = PictureBudget()
        var requests = KeyFrameRequests()
        var decoder: PictureDecoder?
        /// How many pictures the decoder was given.
        var shown = 0
        var latency: Int
        var isOver = false
    }

    /// How many pictures may wait for the decoder.
    private static let most = 30

    private let feed: VideoFeed
    private let timeline: Pipeline
    private let decoding: DecodeWatch?
    private let state: Lock<State>
    /// Between pictures that were shown, by whichever decoder.
    private let pause = Shared(LongestPause())

    init(feed: VideoFeed, timeline: Pipeline, latency: Int, decoding: DecodeWatch?) {
        (self.feed, self.timeline, self.decoding) = (feed, timeline, decoding)
        state = Lock(State(latency: latency))
    }

    var longestGap: Int { state.withLock { $0.order.longestGap } }
    var stream: GroupStream? { state.withLock { $0.order.stream } }
    var shown: Int { state.withLock { $0.shown } }

    /// Whether a picture was shown.
    var hasShown: Bool { pause.value.hasCome }

    /// The longest time without a picture since the last question.
    func takePause(now: Instant) -> Duration {
        var longest = Duration.zero
        pause.change { longest = $0.take(now: now).longest }
        return longest
    }

    func receive(_ sample: Sample, at place: FramePlace, by way: Int) -> Verdict {
        let now = Instant.now
        let isKeyFrame = VP8Frame.isKeyFrame(firstByte: Self.header(of: sample, count: 1).first ?? 1)
        return state.withLock { state in
            guard !state.isOver else { return Verdict() }
            let outcome = state.order.receive(sample, at: place, isKeyFrame: isKeyFrame, by: way, now: now)
            var verdict = Verdict(isGood: !outcome.wantsKeyFrame)
            for picture in outcome.pictures where !decode(picture, &state, now: now) {
                state.order.restart()
                verdict = Verdict(isRefused: true)
                break
            }
            if !verdict.isGood { verdict.asksForKeyFrame = state.requests.dropped(now: now) }
            return verdict
        }
    }

    /// Whether a picture goes to the decoder: it costs no more than it may, and not too many wait.
    private func decode(_ picture: Sample, _ state: inout State, now: Instant) -> Bool {
        let header = Self.header(of: picture, count: 10)
        let isKeyFrame = VP8Frame.isKeyFrame(firstByte: header.first ?? 1)
        guard isKeyFrame ? state.budget.admits(header: header, now: now) : state.budget.admitsSame(now: now) else {
            return false
        }
        if state.decoder == nil {
            state.decoder = try? PictureDecoder(
                feed: feed, timeline: timeline, latency: state.latency, decoding: decoding, pause: pause)
        }
        guard let decoder = state.decoder, decoder.waiting < Self.most else { return false }
        decoder.push(picture)
        state.shown += 1
        return true
    }

    private static func header(of sample: Sample, count: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: count)
        header.removeLast(count - Int(gst_buffer_extract(sample.buffer, 0, &header, gsize(count))))
        return header
    }

    func setLatency(_ latency: Int) {
        let decoder = state.withLock { state in
            guard state.latency != latency else { return PictureDecoder?.none }
            state.latency = latency
            return state.decoder
        }
        decoder?.setLatency(latency)
    }

    func rest(isOver: Bool) -> (@Sendable () -> Void)? {
        let decoder = state.withLock { state in
            if isOver { state.isOver = true }
            state.order.restart()
            defer { state.decoder = nil }
            return state.decoder
        }
        guard let decoder else { return nil }
        decoder.silence()
        return { decoder.close() }
    }
}

/// Decodes pictures in a pipeline of its own, on the time of the ways that they come by, and shows them.
final class PictureDecoder: Sendable {
    private let pipeline: Pipeline
    private let inlet: Element
    /// Where pictures are shown; nil: nowhere any more.
    private let feed: Shared<VideoFeed?>

    init(
        feed: VideoFeed, timeline: Pipeline, latency: Int, decoding: DecodeWatch?, pause: Shared<LongestPause>
    ) throws(MediaError) {
        let own = Shared<Element?>(nil)
        pipeline = try Pipeline { message in
            guard case .latencyChanged = message, let element = own.value else { return }
            MediaQueue.start { gst_bin_recalculate_latency(element.pointer()) }
        }
        own.value = pipeline.element
        let bin = try Element.bin(
            """
            appsrc name=inlet format=time is-live=true max-bytes=0 max-buffers=0 min-latency=\(latency * 1_000_000) ! \
            vp8dec name=decoder max-errors=-1 ! \(PictureDisplay.chain(isDrawn: feed.isDrawn))
            """)
        inlet = try bin.child("inlet")
        decoding?.watch(try bin.child("decoder"))
        let shown = Shared<VideoFeed?>(feed)
        self.feed = shown
        try PictureDisplay.connect(bin, to: feed) { frame in
            // Within the lock, so that none comes behind `silence()`.
            shown.change { feed in
                guard let feed else { return }
                feed.show(frame)
                pause.change { $0.came(now: .now) }
            }
        }
        pipeline.element.add(bin)
        pipeline.shareTime(with: timeline)
        pipeline.element.setState(GST_STATE_PLAYING)
    }

    /// How many pictures wait.
    var waiting: Int { Int(gst_app_src_get_current_level_buffers(inlet.pointer())) }

    func push(_ sample: Sample) {
        inlet.setSourceFormat(sample.caps)
        gst_app_src_push_buffer(inlet.pointer(), gst_buffer_ref(sample.buffer))
    }

    func setLatency(_ latency: Int) {
        gst_app_src_set_latency(inlet.pointer(), guint64(latency) * 1_000_000, guint64.max)
    }

    /// Shows nothing any more, also of what is in it.
    func silence() { feed.value = nil }

    /// Ends it. Blocks until its threads are gone.
    func close() { pipeline.close() }
}
