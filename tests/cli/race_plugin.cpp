// XNNPACK with a race: in one of each hundred delegate calls, one operator has a narrower output range than
// its payload declares. ET_RACE is the seed, ET_RACE_NODE the operator's position.

#include "backends/xnnpack/delegate/delegate.h"
#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/format/write_payload.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/executor/plugin.h"

#include <cstdlib>
#include <iterator>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace {

using et::core::Result;
using et::executor::LoadedDelegate;

int numberOf(const char* variable) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? 0 : std::atoi(text);
}

/// A modified payload of a delegate; it must outlive what is loaded from it.
struct OtherPayload {
    std::vector<std::byte> bytes;
    et::program::Delegate delegate;
};

/// A delegate that uses the modified payload in one of each hundred calls.
class RacingDelegate final : public LoadedDelegate {
  public:
    RacingDelegate(std::unique_ptr<LoadedDelegate> good, std::unique_ptr<OtherPayload> badPayload,
                   std::unique_ptr<LoadedDelegate> bad)
        : payload(std::move(badPayload)), sound(std::move(good)), wrong(std::move(bad)) {}

    Result<> execute(const et::executor::DelegateCallContext& context,
                     std::span<et::core::Value* const> arguments) override {
        constexpr unsigned calls = 100;
        static std::mt19937 random(static_cast<unsigned>(numberOf("ET_RACE")));
        static unsigned call = 0;
        static unsigned unlucky = 0;
        unlucky = call % calls == 0 ? static_cast<unsigned>(random() % calls) : unlucky;
        return (call++ % calls == unlucky ? wrong : sound)->execute(context, arguments);
    }

  private:
    std::unique_ptr<OtherPayload> payload;
    std::unique_ptr<LoadedDelegate> sound;
    std::unique_ptr<LoadedDelegate> wrong;
};

class RacingBackend final : public et::executor::Backend {
  public:
    [[nodiscard]] std::string_view name() const override { return "XnnpackBackend"; }
    [[nodiscard]] Result<std::unique_ptr<LoadedDelegate>> load(
        const et::executor::DelegateSource& source) const override {
        namespace xnnpack = et::backends::xnnpack;
        ET_ASSIGN(auto sound, xnnpack::backend().load(source));
        ET_ASSIGN(xnnpack::Payload payload, xnnpack::readPayload(source.delegate.payload));
        const auto node = static_cast<std::size_t>(numberOf("ET_RACE_NODE"));
        payload.nodes.at(node).range = xnnpack::OutputRange{.min = 0, .max = 1e-3F};
        auto changed = std::make_unique<OtherPayload>(xnnpack::writePayload(payload), source.delegate);
        changed->delegate.payload = changed->bytes;
        const et::executor::DelegateSource other{.delegate = changed->delegate,
                                                 .method = source.method,
                                                 .namedData = source.namedData,
                                                 .threads = source.threads,
                                                 .shared = nullptr,
                                                 .traced = source.traced,
                                                 .memoryBytes = source.memoryBytes};
        ET_ASSIGN(auto wrong, xnnpack::backend().load(other));
        return std::make_unique<RacingDelegate>(std::move(sound), std::move(changed), std::move(wrong));
    }
};

const RacingBackend racing;
const et::executor::Backend* const backends[] = {&racing};

}  // namespace

ET_PLUGIN(.backends = backends, .backendCount = std::size(backends))
