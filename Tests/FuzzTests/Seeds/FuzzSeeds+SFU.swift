extension FuzzSeeds {
    /// What a Janus 1.1.2 says to who joins a room, receives a feed and loses the connection.
    mutating func addSFU() {
        for text in [
            "wss://sfu.example:8989/janus?x=1", "ws://127.0.0.1:8188/", "ws://localhost", "wss://[2001:db8::1]/",
        ] {
            add("sfu-address", text)
        }
        let session = #""session_id":11,"#
        let plugin = #""plugindata":{"plugin":"janus.plugin.videoroom","data":"#
        let beginning = [
            "+",
            #"{"janus":"server_info","transaction":"1","version_string":"1.1.2","plugins":{"janus.plugin.videoroom":{}}}"#,
            #"{"janus":"success","transaction":"$T","data":{"id":11}}"#,
            #"{"janus":"success",\#(session)"transaction":"$T","data":{"id":21}}"#,
            "?1", #"{"janus":"success",\#(session)"transaction":"$T","data":{"id":31}}"#,
            #"{"janus":"ack",\#(session)"transaction":"$T"}"#,
            #"{"janus":"event",\#(session)"transaction":"$T","sender":31,\#(plugin){"videoroom":"joined","room":101,"#
                + #""id":101,"private_id":7,"publishers":[{"id":102,"display":"2.x"}]}}}"#,
        ]
        let receiving = [
            "?3", #"{"janus":"success",\#(session)"transaction":"$T","data":{"id":41}}"#,
            #"{"janus":"event",\#(session)"transaction":"$T","sender":41,\#(plugin){"videoroom":"attached","#
                + #""streams":[{"mid":"0","type":"audio"},{"mid":"1","type":"video"}]}},"jsep":{"type":"offer","sdp":"v=0"}}"#,
            #"{"janus":"webrtcup",\#(session)"sender":41}"#,
            #"{"janus":"media",\#(session)"sender":41,"type":"video","receiving":true}"#,
            #"{"janus":"slowlink",\#(session)"sender":31,"media":"video","uplink":true,"lost":12}"#,
            #"{"janus":"trickle",\#(session)"sender":41,"candidate":{"candidate":"c","sdpMid":"0","sdpMLineIndex":0}}"#,
            #"{"janus":"hangup",\#(session)"sender":41,"reason":"ICE failed"}"#,
        ]
        let losing = [
            "!", ".\u{1}", "+", #"{"janus":"success",\#(session)"transaction":"$T"}"#,
            #"{"janus":"success",\#(session)"transaction":"$T","sender":21,\#(plugin){"videoroom":"participants","#
                + #""participants":[{"id":101,"publisher":true},{"id":103,"display":"","publisher":true}]}}}"#,
            #"{"janus":"event",\#(session)"sender":31,\#(plugin){"videoroom":"event","leaving":103,"unpublished":102}}}"#,
            ".\u{19}", #"{"janus":"ack",\#(session)"transaction":"$T"}"#, #"{"janus":"timeout","session_id":11}"#,
        ]
        let ending = [
            "?0", #"{"janus":"error",\#(session)"transaction":"$T","error":{"code":403,"reason":"Unauthorized"}}"#,
            #"{"janus":"event",\#(session)"sender":31,\#(plugin){"videoroom":"event","leaving":"ok","reason":"kicked"}}}"#,
            #"{"janus":"detached",\#(session)"sender":41}"#,
        ]
        for script in [
            beginning, beginning + receiving, beginning + losing, beginning + receiving + losing + ending,
            beginning + ending,
        ] { add("janus-session", script.joined(separator: "\n")) }
    }
}
