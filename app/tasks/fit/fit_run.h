#pragma once

#include "app/tasks/base/program_file.h"
#include "inspector/fit/fit.h"
#include "inspector/fit/oplist.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Memory needed to run a method once with our kernels and one thread, in bytes.
struct MeasuredNeed {
    executor::MemoryReport memory;
    std::uint64_t stack = 0;  ///< maximum over loading and running
};

/// Loads the method and runs it once, on the first case of its bundle or else on random inputs. Errors: those
/// of loading, inputs and running.
[[nodiscard]] core::Result<MeasuredNeed> measureNeed(
    const ProgramFile& file, std::string_view method,
    std::span<const std::shared_ptr<const program::TensorData>> tensorData);

/// Calls `work` on a separate stack of 8 MiB, and returns how many bytes of it were written. Errors: Limit
/// (cannot allocate it or create a thread).
[[nodiscard]] core::Result<std::uint64_t> stackOf(const std::function<void()>& work);

/// Input of a check.
struct FitFiles {
    std::vector<std::filesystem::path> models;  ///< programs or bundled programs
    std::vector<std::filesystem::path> data{};  ///< tensor data files of the programs
    std::filesystem::path record{};             ///< ETRecord whose weights the data is compared with
    std::filesystem::path runtime{};            ///< list, YAML or binary; empty: et-inspect's own runtime
    std::filesystem::path target{};             ///< description of a device; empty: memory is not checked
    core::KvCacheSettings caches{};             ///< of KV caches outside the programs
    bool measure = false;  ///< also run each method once, to measure what cannot be computed
};

struct ProgramFit {
    std::string file;
    inspector::FlashNeed flash{};
    std::vector<inspector::MethodFit> methods;
    std::vector<core::Result<MeasuredNeed>> measured{};  ///< same size, or empty

    [[nodiscard]] bool fits() const;
};

struct FitResult {
    std::string runtime;  ///< "ops.yaml (selected operators)"
    std::string target;   ///< name or file of the target; empty: none
    std::vector<ProgramFit> programs;

    [[nodiscard]] bool fits() const;
};

/// Errors: those of the readers, each with its file.
[[nodiscard]] core::Result<FitResult> checkFit(const FitFiles& files);

/// Reads the kernels of a runtime: a list of operators, YAML or JSON of a selective build, an ELF file or an
/// archive. A binary is searched for `backends`. Errors: Io, those of the readers.
[[nodiscard]] core::Result<inspector::KernelList> readRuntime(const std::filesystem::path& path,
                                                              const std::vector<std::string>& backends);

/// The kernels of this build.
[[nodiscard]] inspector::KernelList ownKernels();

/// Operators to build for some programs.
struct OperatorList {
    std::string yaml;
    std::size_t operators = 0;
    std::size_t keys = 0;
};
/// Errors: those of ProgramFile::open().
[[nodiscard]] core::Result<OperatorList> listOperators(const std::vector<std::filesystem::path>& models,
                                                       const inspector::OplistOptions& options);

}  // namespace et::tasks
