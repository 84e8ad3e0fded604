extension SendChain {
    /// For what is read rather than watched: a picture stays sharp (quantizers capped) and pictures are left out when the
    /// bit rate is not enough.
    static let screenEncoder = """
        vp8enc name=encoder deadline=1 cpu-used=-8 threads=4 target-bitrate=\(screenBitRate) end-usage=cbr undershoot=95 \
        buffer-size=1000 buffer-initial-size=500 buffer-optimal-size=600 lag-in-frames=0 keyframe-max-dist=3000 \
        max-intra-bitrate=600 min-quantizer=4 max-quantizer=44 dropframe-threshold=30 \
        min-force-key-unit-interval=1000000000
        """

    /// Bits a second for a screen until ``SendShares`` says what it gets.
    static let screenBitRate = 1_200_000

    /// Music, unlike the microphone.
    static let screenSoundEncoder = """
        audioconvert ! audioresample ! opusenc name=encoder bitrate=64000 frame-size=20 inband-fec=true packet-loss-percentage=5 \
        audio-type=generic
        """
}
