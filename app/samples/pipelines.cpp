#include "app/samples/pipelines.h"

#include "app/samples/net_program.h"
#include "app/samples/net_record.h"
#include "app/samples/net_run.h"
#include "app/samples/nets/nets.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace et::samples {
namespace {

using core::Result;
using Files = std::vector<SampleFile>;

/// Adds NAME.pte and NAME.etrecord.
Result<> addStage(Files& files, const std::string& name, const Net& net) {
    constexpr RunOptions oneCase{.cases = 1, .executions = 1, .debugLevel = core::DebugLevel::None};
    ET_ASSIGN(std::vector<std::byte> program, makeProgram(net));
    ET_ASSIGN(const NetRun run, runNet(net, program, oneCase));
    ET_ASSIGN(std::vector<std::byte> record, makeRecord(net, run.cases));
    files.push_back({.name = name + ".pte", .bytes = std::move(program)});
    files.push_back({.name = name + ".etrecord", .bytes = std::move(record)});
    return {};
}

constexpr std::string_view diffusionManifest =
    R"(# Text to image: the text is encoded once, the latent is denoised in 8 steps.
name = "diffusion"
outputs = ["image"]

[programs.text]
file = "diffusion_text.pte"
etrecord = "diffusion_text.etrecord"

[programs.unet]
file = "diffusion_unet.pte"
etrecord = "diffusion_unet.etrecord"

[programs.decoder]
file = "diffusion_decoder.pte"
etrecord = "diffusion_decoder.etrecord"

[inputs.table]    # token embeddings
sizes = [32, 16]
fill = "random"
seed = 1

[inputs.prompt]
dtype = "int64"
data = [3, 14, 15, 9]

[inputs.latent]   # noise
sizes = [4, 16]
fill = "random"
seed = 2

[[stages]]
name = "embed"
step = "lookup"
inputs = ["table", "prompt"]
outputs = ["words"]

[[stages]]
name = "text"
program = "text"
inputs = ["words"]
outputs = ["context"]

[[stages]]
name = "denoise"
repeat = 8
counter = "step"

[[stages.stages]]
name = "time"
step = "compute"
expression = "1 - step / 8"
sizes = [1, 1]
outputs = ["time"]

[[stages.stages]]
name = "unet"
program = "unet"
inputs = ["latent", "context", "time"]
outputs = ["noise"]

[[stages.stages]]
name = "scheduler"
step = "compute"
expression = "latent - 0.125 * noise"
outputs = ["latent"]

[[stages]]
name = "decode"
program = "decoder"
inputs = ["latent"]
outputs = ["image"]
)";

constexpr std::string_view transducerManifest =
    R"(# Speech recognition: one token or blank (0) for each frame; a token updates the predictor's state.
name = "transducer"
outputs = ["tokens"]

[programs.encoder]
file = "transducer_encoder.pte"
etrecord = "transducer_encoder.etrecord"

[programs.predictor]
file = "transducer_predictor.pte"
etrecord = "transducer_predictor.etrecord"

[programs.joiner]
file = "transducer_joiner.pte"
etrecord = "transducer_joiner.etrecord"

[inputs.features]   # 12 frames
sizes = [12, 20]
fill = "random"
seed = 3

[inputs.table]
sizes = [16, 16]
fill = "random"
seed = 4

[inputs.token]
dtype = "int64"
data = [0]

[inputs.state]
sizes = [1, 16]
fill = "zeros"

[inputs.tokens]
dtype = "int64"
data = [0]

[[stages]]
name = "encode"
program = "encoder"
inputs = ["features"]
outputs = ["frames"]

[[stages]]
name = "start"
step = "lookup"
inputs = ["table", "token"]
outputs = ["word"]

[[stages]]
name = "decode"
repeat = 12
counter = "time"

[[stages.stages]]
name = "frame"
step = "slice"
inputs = ["frames", "time"]
outputs = ["frame"]

[[stages.stages]]
name = "predict"
program = "predictor"
inputs = ["word", "state"]
outputs = ["next"]

[[stages.stages]]
name = "join"
program = "joiner"
inputs = ["frame", "next"]
outputs = ["logits"]

[[stages.stages]]
name = "pick"
step = "argmax"
inputs = ["logits"]
outputs = ["token"]

[[stages.stages]]
name = "collect"
step = "append"
inputs = ["tokens", "token"]
outputs = ["tokens"]

[[stages.stages]]
name = "word"
step = "lookup"
inputs = ["table", "token"]
outputs = ["picked"]

[[stages.stages]]
name = "keep_word"
step = "compute"
expression = "(token != 0) * picked + (token == 0) * word"
outputs = ["word"]

[[stages.stages]]
name = "keep_state"
step = "compute"
expression = "(token != 0) * next + (token == 0) * state"
outputs = ["state"]
)";

constexpr std::string_view speculativeManifest =
    R"(# Speculative decoding: the draft proposes 4 tokens, the target checks them at once.
name = "speculative"
outputs = ["text", "count"]

[programs.draft]
file = "speculative_draft.pte"
etrecord = "speculative_draft.etrecord"

[programs.target]
file = "speculative_target.pte"
etrecord = "speculative_target.etrecord"

[inputs.table]    # token embeddings of both models
sizes = [32, 16]
fill = "random"
seed = 5

[inputs.window]   # the last 16 tokens
dtype = "int64"
sizes = [1, 16]
data = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 3, 21, 12]

[inputs.text]
dtype = "int64"
sizes = [1, 4]
data = [7, 3, 21, 12]

[inputs.count]
dtype = "int64"
data = [0]

[[stages]]
name = "rounds"
repeat = 40
until = "count >= 32"

[[stages.stages]]
name = "begin"
step = "copy"
inputs = ["window"]
outputs = ["guessed"]

[[stages.stages]]
name = "propose"
repeat = 4

[[stages.stages.stages]]
name = "embed"
step = "lookup"
inputs = ["table", "guessed"]
outputs = ["words"]

[[stages.stages.stages]]
name = "flat"
step = "reshape"
inputs = ["words"]
sizes = [16, 16]
outputs = ["words"]

[[stages.stages.stages]]
name = "draft"
program = "draft"
inputs = ["words"]
outputs = ["logits"]

[[stages.stages.stages]]
name = "last"
step = "slice"
inputs = ["logits"]
start = -1
outputs = ["last"]

[[stages.stages.stages]]
name = "pick"
step = "argmax"
inputs = ["last"]
outputs = ["token"]

[[stages.stages.stages]]
name = "row"
step = "reshape"
inputs = ["token"]
sizes = [1, 1]
outputs = ["token"]

[[stages.stages.stages]]
name = "extend"
step = "append"
inputs = ["guessed", "token"]
length = 16
outputs = ["guessed"]

[[stages.stages]]
name = "embed"
step = "lookup"
inputs = ["table", "guessed"]
outputs = ["words"]

[[stages.stages]]
name = "flat"
step = "reshape"
inputs = ["words"]
sizes = [16, 16]
outputs = ["words"]

[[stages.stages]]
name = "target"
program = "target"
inputs = ["words"]
outputs = ["checked"]

[[stages.stages]]
name = "ends"
step = "slice"
inputs = ["checked"]
start = 11
length = 5
outputs = ["ends"]

[[stages.stages]]
name = "choose"
step = "argmax"
inputs = ["ends"]
outputs = ["chosen"]

[[stages.stages]]
name = "draft_tokens"
step = "slice"
inputs = ["guessed"]
dim = 1
start = 12
length = 4
outputs = ["offered"]

[[stages.stages]]
name = "accept"
step = "accept"
inputs = ["offered", "chosen"]
outputs = ["accepted", "number"]

[[stages.stages]]
name = "window"
step = "append"
inputs = ["window", "accepted"]
length = 16
outputs = ["window"]

[[stages.stages]]
name = "text"
step = "append"
inputs = ["text", "accepted"]
outputs = ["text"]

[[stages.stages]]
name = "count"
step = "compute"
expression = "count + number + 1"
dtype = "int64"
outputs = ["count"]
)";

}  // namespace

Result<Files> makeDiffusion() {
    Files files;
    ET_TRY(addStage(files, "diffusion_text", diffusionTextNet()));
    ET_TRY(addStage(files, "diffusion_unet", diffusionUnet()));
    ET_TRY(addStage(files, "diffusion_decoder", diffusionDecoderNet()));
    files.push_back(textFile("diffusion.toml", diffusionManifest));
    return files;
}

Result<Files> makeTransducer() {
    Files files;
    ET_TRY(addStage(files, "transducer_encoder", transducerEncoderNet()));
    ET_TRY(addStage(files, "transducer_predictor", transducerPredictorNet()));
    ET_TRY(addStage(files, "transducer_joiner", transducerJoinerNet()));
    files.push_back(textFile("transducer.toml", transducerManifest));
    return files;
}

Result<Files> makeSpeculative() {
    Files files;
    ET_TRY(addStage(files, "speculative_draft", speculativeNet(false)));
    ET_TRY(addStage(files, "speculative_target", speculativeNet(true)));
    files.push_back(textFile("speculative.toml", speculativeManifest));
    return files;
}

}  // namespace et::samples
