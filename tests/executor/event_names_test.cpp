// Tests of the names of kernel events, as the reference runtime writes them.
#include "runtime/kernels/builtin.h"
#include "tests/executor/fusion_listeners.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace et::test {
namespace {

using program::ValueId;

TEST(EventNamesTest, OfOtherLibrariesContainTheLibrary) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    const ValueId image = method.input({.sizes = {1, 2, 2}});
    const ValueId copy = method.intermediate({.sizes = {1, 2, 2}});
    const ValueId tiles = method.intermediate({.sizes = {4, 1, 1, 1}});
    const ValueId positive = method.intermediate({.sizes = {4, 1, 1, 1}});
    const ValueId numbers = method.constant<float>({.sizes = {1, 1, 1, 1}}, Floats{1});
    const ValueId beta = method.constant<float>({.sizes = {1, 1, 1}}, Floats{1});
    const ValueId attended = method.intermediate({.sizes = {1, 1, 1, 1}});
    const ValueId state = method.intermediate({.sizes = {1, 1, 1, 1}});
    method.call("llama::fallback.out", {image}, {copy});
    method.call("preprocess::tile_crop.out", {copy, 1}, {tiles});
    method.call("aten::relu.out", {tiles}, {positive});
    method.call("llama::channelwise_gated_delta_rule.out", {numbers, numbers, numbers, beta, beta, numbers},
                {attended, state});
    method.output(positive);
    LoadedProgram loaded(program, {}, kernels::builtin());
    executor::Method& forward = loaded.method();
    Listener listener;
    forward.setTracer(&listener);
    runOnce(forward, {1, 2, 2}, Floats{1, 2, 3, 4});
    std::vector<std::string> names;
    for (const Listener::Event& event : listener.events) {
        if (event.name.contains(".out")) {
            names.push_back(event.name);
        }
    }
    EXPECT_THAT(names,
                testing::ElementsAre("llama::fallback.out", "preprocess::tile_crop.out",
                                     "native_call_relu.out", "native_call_llama::gated_delta_rule.out"));
}

}  // namespace
}  // namespace et::test
