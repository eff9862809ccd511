#pragma once

#include "app/tasks/model/model.h"
#include "app/tasks/rewrite/memory_poison.h"
#include "app/tasks/soak/value_watch.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace et::tasks {

/// Fill patterns for uninitialized memory: two of them, so that reads of it show.
inline constexpr std::byte usualPoison{0xa5};
inline constexpr std::byte otherPoison{0x5a};

/// A freshly loaded method with watched values and poisoned memory. Not movable: the module refers to the
/// tracer.
class WatchedMethod {
  public:
    /// `from` must outlive it. `room`: bytes of values to keep; see ValueWatch for that and `inside`.
    WatchedMethod(const Model& from, std::byte pattern, std::uint64_t room, bool inside = false);

    /// Errors: those of Module::load(), through errorOfProgram(); those of MemoryPoison::watch().
    [[nodiscard]] core::Result<> load(std::string_view name);
    /// `give` sets the inputs. Errors: those of `give` and of Method::execute().
    [[nodiscard]] core::Result<> run(const std::function<core::Result<>(executor::Method&)>& give);

    [[nodiscard]] executor::Method& method() { return *loaded; }

    MemoryPoison poison;
    ValueWatch watch;

  private:
    const Model& model;
    executor::Module module;
    executor::Method* loaded = nullptr;
};

}  // namespace et::tasks
