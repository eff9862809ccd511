#pragma once

#include "inspector/fit/kernel_list.h"
#include "inspector/fit/pools.h"
#include "inspector/fit/target.h"
#include "runtime/core/kv_cache.h"
#include "runtime/core/strong_id.h"
#include "runtime/executor/kv_cache_plan.h"
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

// Checks whether a runtime on a device can load and run a program.
namespace et::inspector {

/// Category of a problem.
enum class FitPart : std::uint8_t {
    Operator,  ///< no kernel of that name
    Dtype,     ///< no kernel for a dtype
    Kernel,    ///< no kernel for the combination of dtypes and dim orders
    Backend,
    Data,  ///< weights missing from the data files
    Feature,
    Alignment,
    Memory,
    Flash,
    Version,  ///< schema of the program
};
[[nodiscard]] std::string_view name(FitPart part);  ///< "operator": stable, used in JSON

/// A problem and its remedy.
struct FitProblem {
    FitPart part = FitPart::Operator;
    std::string subject;                              ///< "aten::add.out", "planned pool 1"
    std::string what;                                 ///< "no kernel for float16"
    std::string remedy;                               ///< "add float16 to its dtypes"
    std::vector<core::InstructionId> instructions{};  ///< affected instructions; empty: the whole method
};

/// Requirements of a method, independent of the runtime.
struct MethodNeeds {
    std::size_t operators = 0;  ///< number of distinct names
    std::set<std::string> backends{};
    std::set<Feature> features{};
    std::size_t externalTensors = 0;
    PoolNeeds pools{};
    Alignments alignments{};
    executor::KvCachePlan caches{};  ///< KV caches outside the program
};

struct MethodFit {
    std::string method;
    std::vector<FitProblem> problems{};  ///< by part; empty: it fits
    MethodNeeds needs{};
    std::vector<std::string> notes{};  ///< checks that were not possible, and hints

    [[nodiscard]] bool fits() const { return problems.empty(); }
};

/// Runtime properties to check against. Borrowed; null: not checked.
struct FitAgainst {
    const KernelList* kernels = nullptr;
    const Target* target = nullptr;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData{};
    std::optional<std::set<std::string>> backends{};  ///< used if neither kernels nor target specify them
    core::KvCacheSettings caches{};                   ///< of KV caches outside the program
};

/// Result for each method.
[[nodiscard]] std::vector<MethodFit> fitOf(const program::Program& program, const FitAgainst& against);

/// Requirements of a method.
[[nodiscard]] MethodNeeds computeNeeds(const program::Program& program, const program::Method& method,
                                       const core::KvCacheSettings& caches = {});

}  // namespace et::inspector
