// Tests that all programs of the shared data give the same results with fused and separate instructions.
#include "app/tasks/model/model.h"
#include "runtime/core/event_names.h"
#include "runtime/core/fused_events.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace et::tasks {
namespace {

/// Observes each instruction as it finishes, which prevents fusion.
class OneByOne : public core::EventTracer {
  public:
    [[nodiscard]] core::TraceName name(std::string_view text) override {
        return core::TraceName(text.starts_with(core::event_name::kernelPrefix) ? 1 : 0);
    }
    void beginRun(std::string_view) override {}
    void endRun() override {}
    void profile(core::TraceName event, const core::TraceIds&, std::uint64_t start, std::uint64_t end,
                 core::Bytes) override {
        backToBack += event.value == 1 && start == lastEnd ? 1 : 0;
        lastEnd = end;
    }
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}

    std::size_t backToBack = 0;  ///< number of instructions computed together with the previous one

  private:
    std::uint64_t lastEnd = 0;
};

class Together final : public OneByOne, public core::TakesFusedEvents {};

/// The bytes of all output tensors; empty if the program fails.
std::vector<std::vector<std::byte>> outputsOf(Model& model, const InputSet& inputs) {
    std::vector<std::vector<std::byte>> out;
    if (!model.execute(inputs)) {
        return out;
    }
    for (std::size_t i = 0; i < model.method->outputCount(); ++i) {
        if (const auto* const tensor = model.method->output(i).as<core::Tensor>()) {
            const auto bytes = tensor->rawBytes();
            out.emplace_back(bytes.begin(), bytes.end());
        }
    }
    return out;
}

/// Uses two loaded models, so that runs do not share mutable state.
TEST(FusedPrograms, MatchUnfusedBitForBit) {
    ET_NEEDS_SHARED_DATA();
    std::size_t programs = 0;
    OneByOne listener;
    Together fused;
    for (const auto* const extension : {".pte", ".bpte"}) {
        for (const auto* const folder : {"legacy", "ops", "programs", "programs2", "quant"}) {
            for (const auto& path : test::sharedFiles(folder, extension)) {
                auto together = Model::open(path, {}, nullptr);
                auto apart = Model::open(path, {}, nullptr);
                if (!together || !apart) {
                    continue;
                }
                (*apart)->method->setTracer(&listener);
                (*together)->method->setTracer(&fused);
                const auto inputs = (*together)->inputs({}, [](std::string_view) {});
                if (!inputs) {
                    continue;
                }
                EXPECT_TRUE(outputsOf(**together, *inputs) == outputsOf(**apart, *inputs)) << path;
                ++programs;
            }
        }
    }
    EXPECT_GT(programs, 100U);
    EXPECT_GT(fused.backToBack, 100U);
    EXPECT_EQ(listener.backToBack, 0U);
}

}  // namespace
}  // namespace et::tasks
