// XNNPACK as a device with faults: ET_DEVICE_FAULT selects one. Channels are dimension 1 of the first input.

#include "backends/xnnpack/delegate/delegate.h"
#include "runtime/executor/plugin.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace {

using et::core::Result;
using et::core::Tensor;
using et::core::Value;
using et::executor::LoadedDelegate;

std::string_view fault() {
    const char* const name = std::getenv("ET_DEVICE_FAULT");
    return name == nullptr ? std::string_view() : name;
}

std::span<float> floatsOf(Tensor& tensor) {
    return tensor.dtype() == et::core::ScalarType::Float
               ? std::span(tensor.mutableData<float>(), static_cast<std::size_t>(tensor.numel()))
               : std::span<float>();
}

bool isWrong(const Tensor& input) {
    if (input.dim() < 2) {
        return false;
    }
    const std::int64_t channels = input.size(1);
    return (fault() == "channels" && channels >= 168 && channels <= 192) ||
           (fault() == "indivisible" && channels % 4 != 0);
}

class FaultyDelegate final : public LoadedDelegate {
  public:
    explicit FaultyDelegate(std::unique_ptr<LoadedDelegate> wrapped) : sound(std::move(wrapped)) {}

    Result<> execute(const et::executor::DelegateCallContext& context,
                     std::span<Value* const> arguments) override {
        ET_TRY(sound->execute(context, arguments));
        const auto* const input = arguments.empty() ? nullptr : arguments.front()->as<Tensor>();
        auto* const output = arguments.empty() ? nullptr : arguments.back()->as<Tensor>();
        if (input == nullptr || output == nullptr) {
            return {};
        }
        for (float& element : floatsOf(*output)) {
            element += fault() == "offset" ? 0.25F : 0.0F;
            element = fault() == "nan" && std::isnan(element) ? 0.0F : element;
        }
        if (isWrong(*input) && !floatsOf(*output).empty()) {
            floatsOf(*output).back() += 1.0F;
        }
        return {};
    }

  private:
    std::unique_ptr<LoadedDelegate> sound;
};

class FaultyBackend final : public et::executor::Backend {
  public:
    [[nodiscard]] std::string_view name() const override { return "XnnpackBackend"; }
    [[nodiscard]] Result<std::unique_ptr<LoadedDelegate>> load(
        const et::executor::DelegateSource& source) const override {
        ET_ASSIGN(auto sound, et::backends::xnnpack::backend().load(source));
        return std::make_unique<FaultyDelegate>(std::move(sound));
    }
};

const FaultyBackend faulty;
const et::executor::Backend* const backends[] = {&faulty};

}  // namespace

ET_PLUGIN(.backends = backends, .backendCount = std::size(backends))
