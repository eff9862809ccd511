#pragma once

#include "app/tasks/run/model.h"
#include "app/tasks/soak/value_watch.h"
#include "app/tasks/surgery/memory_poison.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace et::app {

/// What memory that nobody has written holds: two patterns, so that reading it shows.
inline constexpr std::byte usualPoison{0xa5};
inline constexpr std::byte otherPoison{0x5a};

/// A method loaded anew, whose values are watched and whose memory is poisoned. Not to be moved: the tracer
/// is known to the module.
class WatchedMethod {
  public:
    /// `from` outlives it. `room`: bytes of values to keep; that and `inside`: see ValueWatch.
    WatchedMethod(const Model& from, std::byte pattern, std::uint64_t room, bool inside = false);

    /// Errors: those of Module::load(), as errorOfProgram(); those of MemoryPoison::watch().
    [[nodiscard]] core::Result<> load(std::string_view name);
    /// `give` sets the inputs. Errors: its own, those of Method::execute().
    [[nodiscard]] core::Result<> run(const std::function<core::Result<>(executor::Method&)>& give);

    [[nodiscard]] executor::Method& method() { return *loaded; }

    MemoryPoison poison;
    ValueWatch watch;

  private:
    const Model& model;
    executor::Module module;
    executor::Method* loaded = nullptr;
};

/// Whether the method keeps state from run to run. Errors: as MemoryTimeline::build().
[[nodiscard]] core::Result<bool> keepsState(const program::Method& method);

}  // namespace et::app
