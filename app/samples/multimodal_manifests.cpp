#include "app/samples/multimodal_manifests.h"

namespace et::samples {

std::string_view whisperManifest() {
    return R"(# Speech recognition: spectrogram, encoder, and the decoder token by token.
name = "whisper"
outputs = ["text"]

[programs.model]
file = "whisper.pte"
etrecord = "whisper.etrecord"

[inputs.audio]    # a second at 16 kHz
file = "whisper_audio.wav"

[inputs.token]
dtype = "int64"
sizes = [1, 1]
data = [1]

[inputs.text]
dtype = "int64"
sizes = [1, 1]
data = [1]

[[stages]]
name = "mel"
step = "mel"
frames = 100
inputs = ["audio"]
outputs = ["spectrogram"]

[[stages]]
name = "encoder"
program = "model"
method = "encoder"
inputs = ["spectrogram"]
outputs = ["encoded"]

[[stages]]
name = "decode"
repeat = 16
until = "token == 2"
counter = "position"

[[stages.stages]]
name = "decoder"
program = "model"
method = "text_decoder"
inputs = ["token", "encoded", "position"]
outputs = ["logits"]

[[stages.stages]]
name = "pick"
step = "argmax"
inputs = ["logits"]
outputs = ["token"]

[[stages.stages]]
name = "row"
step = "reshape"
sizes = [1, 1]
inputs = ["token"]
outputs = ["token"]

[[stages.stages]]
name = "collect"
step = "append"
inputs = ["text", "token"]
outputs = ["text"]
)";
}

std::string_view vlmManifest() {
    return R"(# A picture and a question: the decoder reads the 16 vectors of the picture, then generates text.
name = "vlm"
outputs = ["text"]

[programs.vision]
file = "vlm_vision.pte"
etrecord = "vlm_vision.etrecord"

[programs.model]
file = "vlm.pte"
etrecord = "vlm.etrecord"

[inputs.image]
sizes = [1, 3, 32, 32]
fill = "random"
seed = 1

[inputs.token]
dtype = "int64"
sizes = [1, 1]
data = [270]

[inputs.text]
dtype = "int64"
sizes = [1, 1]
data = [270]

[[stages]]
name = "vision"
program = "vision"
method = "vision_encoder"
inputs = ["image"]
outputs = ["patches"]

[[stages]]
name = "prefill"
repeat = 16
counter = "position"

[[stages.stages]]
name = "patch"
step = "slice"
dim = 1
inputs = ["patches", "position"]
outputs = ["patch"]

[[stages.stages]]
name = "decoder"
program = "model"
method = "text_decoder"
inputs = ["patch", "position"]
outputs = ["logits"]

[[stages]]
name = "generate"
repeat = 12
until = "token == 2"
counter = "number"

[[stages.stages]]
name = "embed"
program = "model"
method = "token_embedding"
inputs = ["token"]
outputs = ["word"]

[[stages.stages]]
name = "position"
step = "compute"
expression = "16 + number"
dtype = "int64"
outputs = ["position"]

[[stages.stages]]
name = "decoder"
program = "model"
method = "text_decoder"
inputs = ["word", "position"]
outputs = ["logits"]

[[stages.stages]]
name = "pick"
step = "argmax"
inputs = ["logits"]
outputs = ["token"]

[[stages.stages]]
name = "row"
step = "reshape"
sizes = [1, 1]
inputs = ["token"]
outputs = ["token"]

[[stages.stages]]
name = "collect"
step = "append"
inputs = ["text", "token"]
outputs = ["text"]
)";
}

}  // namespace et::samples
