import MediaRules

extension MediaNotice: Worded {
    public var sentence: String {
        switch self {
        case .device(let notice): notice.sentence
        case .failed(let cause): cause.sentence
        case .server(let error): error.sentence
        case .stopped(.camera, let words): tr("The camera stopped: %s", words)
        case .stopped(.microphone, let words): tr("The microphone stopped: %s", words)
        case .stopped(.speaker, let words): tr("The speaker stopped: %s", words)
        case .screenEnded(.gone): tr("The screen is no longer shared: it has gone")
        case .screenEnded(.failed(let words)): tr("The screen is no longer shared: %s", words)
        case .noSoundProcessing:
            tr(
                "Echo and noise can't be taken out of your microphone's sound: the GStreamer element “webrtcdsp” is missing."
            )
        case .pictureNotShown: tr("The other side's version can't be shown a picture in a call without one.")
        case .screenNotShown: tr("The other side’s version can’t be shown a screen in a call without pictures.")
        case .screenTooEarly: tr("The screen can be shared once the call is connected.")
        case .screenWhileHeld: tr("The screen can be shared once the call is no longer on hold.")
        }
    }
}

extension DeviceNotice: Worded {
    public var sentence: String {
        switch self {
        case .missing(.camera): tr("No camera was found.")
        case .missing(.microphone): tr("No microphone was found.")
        case .missing(.speaker): tr("No speaker was found.")
        case .plugged(let kind, let name): tr("The %1$s “%2$s” is there and is used now.", kind.word, name)
        case .unplugged(let kind, let name, nil): tr("The %1$s “%2$s” was unplugged.", kind.word, name)
        case .unplugged(let kind, let name, let other?):
            tr("The %1$s “%2$s” was unplugged: “%3$s” is used now.", kind.word, name, other)
        case .notFound(let kind, let name, nil): tr("The %1$s “%2$s” was not found.", kind.word, name)
        case .notFound(let kind, let name, let other?):
            tr("The %1$s “%2$s” was not found: “%3$s” is used.", kind.word, name, other)
        case .stillUsed(let kind, let name): tr("The %1$s “%2$s” is still used.", kind.word, name)
        case .replaced(let kind, let name, let other):
            tr("The %1$s “%2$s” does not work: “%3$s” is used now.", kind.word, name, other)
        }
    }
}

extension DeviceFault: Worded {
    public var sentence: String {
        switch self {
        case .noElement(let name): tr("The device “%s” can't be used.", name)
        case .unusable(let kind, nil): tr("The %s can't be used.", kind.word)
        case .unusable(let kind, let name?): tr("The %1$s “%2$s” can't be used.", kind.word, name)
        case .notOpened(let kind, let name, let detail):
            with(tr("The %1$s “%2$s” could not be opened", kind.word, name), detail)
        case .film(let path): tr("The file “%s” can't be used.", path)
        case .filmLacks(.camera, let path, let detail): with(tr("The file “%s” has no usable picture", path), detail)
        case .filmLacks(.microphone, let path, let detail), .filmLacks(.speaker, let path, let detail):
            with(tr("The file “%s” has no usable sound", path), detail)
        case .test(.camera, let detail): with(tr("The test picture could not be started"), detail)
        case .test(.microphone, let detail), .test(.speaker, let detail):
            with(tr("The test tone could not be started"), detail)
        case .source: tr("The source can't be used.")
        case .cameraNotAsked: tr("The desktop has not been asked for the camera.")
        case .cameraDenied:
            tr("The desktop did not allow the camera: allow it in its settings, then turn the camera on again.")
        case .cameraNotGiven(let cause): tr("The camera could not be opened. %s", cause.sentence)
        case .cameraNotOpened(let detail): with(tr("The camera that the desktop allowed could not be opened"), detail)
        case .screenNotGiven(let cause): tr("The screen can’t be shared. %s", cause.sentence)
        case .screenUnusable: tr("The screen can't be captured.")
        case .screenNotCaptured: tr("The screen could not be captured.")
        case .systemSound: tr("The sound of this computer can't be shared: its sound server does not answer.")
        }
    }

    /// A sentence without its period, with what a library says.
    private func with(_ words: String, _ detail: String?) -> String {
        detail.map { "\(words) (\($0.withoutPeriod))." } ?? words + "."
    }
}

extension DeviceKind {
    /// Its name within a sentence.
    var word: String {
        switch self {
        case .camera: tr("camera")
        case .microphone: tr("microphone")
        case .speaker: tr("speaker")
        }
    }
}
