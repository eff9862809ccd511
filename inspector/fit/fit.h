#pragma once

#include "inspector/fit/kernel_list.h"
#include "inspector/fit/pools.h"
#include "inspector/fit/target.h"
#include "runtime/core/strong_id.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Whether a runtime on a device would load and run a program.
namespace et::inspector {

/// What may be in the way.
enum class FitPart : std::uint8_t {
    Operator,  ///< the runtime has no kernel of that name
    Dtype,     ///< it has none for a dtype
    Kernel,    ///< it has none for dtypes and dim orders together
    Backend,
    Data,  ///< weights that no file beside the program has
    Feature,
    Alignment,
    Memory,
    Flash,
};
[[nodiscard]] std::string_view name(FitPart part);  ///< "operator": stable, in JSON

/// One thing that is in the way, and what would clear it.
struct FitProblem {
    FitPart part = FitPart::Operator;
    std::string subject;                              ///< "aten::add.out", "planned pool 1"
    std::string what;                                 ///< "no kernel for float16"
    std::string remedy;                               ///< "add float16 to its dtypes"
    std::vector<core::InstructionId> instructions{};  ///< that need it; empty: the method as a whole
};

/// What a method needs, whatever the runtime.
struct MethodNeeds {
    std::size_t operators = 0;  ///< of different names
    std::set<std::string> backends{};
    std::set<Feature> features{};
    std::size_t externalTensors = 0;
    PoolNeeds pools{};
    Alignments alignments{};
};

struct MethodFit {
    std::string method;
    std::vector<FitProblem> problems{};  ///< by part; none: it fits
    MethodNeeds needs{};
    std::vector<std::string> notes{};  ///< what could not be checked, or is good to know

    [[nodiscard]] bool fits() const { return problems.empty(); }
};

/// What to check against. Borrowed; null: not checked.
struct FitAgainst {
    const KernelList* kernels = nullptr;
    const Target* target = nullptr;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData{};
    std::optional<std::set<std::string>> backends{};  ///< where neither kernels nor target say
};

/// The verdict on each method.
[[nodiscard]] std::vector<MethodFit> fitOf(const program::Program& program, const FitAgainst& against);

/// What a method needs.
[[nodiscard]] MethodNeeds needsOf(const program::Program& program, const program::Method& method);

}  // namespace et::inspector
