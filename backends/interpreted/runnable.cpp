#include "backends/interpreted/runnable.h"

#include "backends/builtin.h"
#include "backends/mlx/lower/record.h"
#include "backends/native/lower/record.h"
#include "backends/reference/interpreted_backend.h"
#include "backends/tosa/lower/record.h"
#include "backends/tosa/lower/value_orders.h"
#include "runtime/kernels/builtin.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends {
namespace {

using reference::InterpretedBackend;

/// Backends whose payloads can be computed, with their readers.
constexpr std::array<std::pair<std::string_view, reference::PayloadReaders>, 3> readers{
    {{"MLXBackend", {.read = mlx::recordOf}},
     {"NativeBackend", {.read = native::recordOf}},
     {"TOSABackend", {.read = tosa::recordOf, .innerValues = tosa::innerValues}}}};

struct Backends {
    std::vector<std::unique_ptr<const InterpretedBackend>> interpreted;
    std::vector<const executor::Backend*> all{builtin().begin(), builtin().end()};

    Backends() {
        for (const auto& [name, functions] : readers) {
            if (const auto* describer = executor::findBackend(describable(), name)) {
                interpreted.push_back(
                    std::make_unique<const InterpretedBackend>(*describer, functions, kernels::builtin()));
                all.push_back(interpreted.back().get());
            }
        }
    }
};

}  // namespace

std::span<const executor::Backend* const> runnable() {
    static const Backends backends;
    return backends.all;
}

bool isInterpreted(const executor::Backend& backend) {
    return dynamic_cast<const InterpretedBackend*>(&backend) != nullptr;
}

core::Result<> checkComputable(const executor::Backend& backend, const program::Delegate& delegate,
                               const executor::NamedDataSource& namedData) {
    const auto* const interpreted = dynamic_cast<const InterpretedBackend*>(&backend);
    return interpreted == nullptr ? core::Result<>() : interpreted->check(delegate, namedData);
}

}  // namespace et::backends
