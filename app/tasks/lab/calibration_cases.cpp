#include "app/tasks/lab/calibration_cases.h"

#include "app/tasks/gap/gap_input_sets.h"
#include "app/tasks/model/inputs.h"
#include "backends/lowering/edge_method.h"
#include "bundled_program/bundle.h"
#include "inspector/tensor_files/tensor_file.h"
#include "runtime/core/file_kind.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::HostTensor;

constexpr std::uint64_t maxCaseBytes = std::uint64_t{4} << 30;

/// Several calls of one input, stored consecutively.
struct Calls {
    std::shared_ptr<const HostTensor> tensor;
    std::vector<std::int64_t> sizes;  ///< per call
    std::size_t count = 0;

    [[nodiscard]] Result<ReferenceValue> at(std::size_t index) const {
        const std::size_t bytes = tensor->data.size() / count;
        // Inputs are never written, but kernels require tensors over mutable bytes.
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
        auto* start = const_cast<std::byte*>(tensor->data.data()) + index * bytes;
        ET_ASSIGN(const core::Tensor view, core::Tensor::make(tensor->dtype, sizes, start));
        return ReferenceValue{ReferenceTensor{.view = view, .owner = tensor}};
    }
};

/// True if a size matches that of the graph; a symbolic size always matches.
bool sameSize(const etrecord::SymInt& expected, std::int64_t given) {
    return !expected.expression.empty() || expected.value == given;
}

bool sameSizes(std::span<const etrecord::SymInt> expected, std::span<const std::int64_t> given) {
    return std::ranges::equal(expected, given, sameSize);
}

std::optional<Calls> callsIn(const std::shared_ptr<const HostTensor>& tensor,
                             const etrecord::TensorMeta& meta) {
    const std::span<const std::int64_t> sizes(tensor->sizes);
    const bool empty = std::ranges::contains(sizes, 0);
    if (meta.scalarType != std::to_underlying(tensor->dtype) || !tensor->dimOrder.empty() || empty) {
        return std::nullopt;
    }
    if (sameSizes(meta.sizes, sizes)) {
        return Calls{.tensor = tensor, .sizes = tensor->sizes, .count = 1};
    }
    if (sizes.empty()) {
        return std::nullopt;
    }
    const auto count = static_cast<std::size_t>(sizes.front());
    if (sameSizes(meta.sizes, sizes.subspan(1))) {
        return Calls{.tensor = tensor, .sizes = {sizes.begin() + 1, sizes.end()}, .count = count};
    }
    const std::span expected(meta.sizes);
    if (!expected.empty() && expected.front().expression.empty() && expected.front().value == 1 &&
        sameSizes(expected.subspan(1), sizes.subspan(1))) {
        Calls calls{.tensor = tensor, .sizes = tensor->sizes, .count = count};
        calls.sizes.front() = 1;
        return calls;
    }
    return std::nullopt;
}

std::string describeInput(const etrecord::TensorMeta& meta) {
    std::vector<std::string> sizes;
    for (const etrecord::SymInt& size : meta.sizes) {
        sizes.push_back(size.expression.empty() ? fmt::format("{}", size.value) : size.expression);
    }
    return fmt::format("{} [{}]", core::scalarTypeName(std::int64_t{meta.scalarType}),
                       fmt::join(sizes, ", "));
}

Result<std::vector<CalibrationCase>> casesOfTensors(const fs::path& path,
                                                    const etrecord::ExportedGraph& graph, std::size_t most) {
    ET_ASSIGN(auto read, inspector::readTensorFile(path, std::nullopt, maxCaseBytes));
    const std::string given = describe(read);
    std::vector<std::shared_ptr<const HostTensor>> tensors;
    for (HostTensor& each : read) {
        tensors.push_back(std::make_shared<const HostTensor>(std::move(each)));
    }
    std::vector<Calls> inputs;
    std::set<std::size_t> taken;
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        if (!backends::lowering::isUserInput(spec)) {
            continue;
        }
        const auto meta = graph.tensors.find(spec.value);
        if (meta == graph.tensors.end()) {
            return fail(ErrorCode::Unsupported,
                        fmt::format("the input \"{}\" is not a tensor: use a bundled program",
                                    core::printable(spec.value)));
        }
        const auto named = std::ranges::find_if(
            tensors, [&](const auto& each) { return each->name == std::string_view(spec.value); });
        std::optional<Calls> calls;
        for (std::size_t i = 0; i < tensors.size() && !calls; ++i) {
            if (!taken.contains(i) && (named == tensors.end() || tensors[i] == *named)) {
                calls = callsIn(tensors[i], meta->second);
            }
            if (calls) {
                taken.insert(i);
            }
        }
        if (!calls) {
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("no tensor fits the input \"{}\": expected {}, or several of them; got {}",
                            core::printable(spec.value), describeInput(meta->second), given),
                {.file = path.string()});
        }
        inputs.push_back(*std::move(calls));
    }
    std::size_t count = most;
    for (const Calls& each : inputs) {
        count = std::min(count, each.count);
    }
    std::vector<CalibrationCase> cases(inputs.empty() ? std::min<std::size_t>(most, 1) : count);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (const Calls& each : inputs) {
            ET_ASSIGN(ReferenceValue value, each.at(i));
            cases[i].push_back(std::move(value));
        }
    }
    return cases;
}

Result<std::vector<CalibrationCase>> casesOfBundle(const fs::path& path, std::string_view method,
                                                   std::size_t most) {
    ET_ASSIGN(const auto bundle, bundled_program::Bundle::open(path));
    ET_ASSIGN(const auto sets, caseInputs(bundle.get(), method, most));
    std::vector<CalibrationCase> cases;
    for (const InputSet& set : sets) {
        ET_ASSIGN(GapInputSet inputSet, makeGapInputSet(set, {}));
        cases.push_back(std::move(inputSet.values));
    }
    return cases;
}

Result<std::vector<CalibrationCase>> casesOfFolder(const fs::path& path, const etrecord::ExportedGraph& graph,
                                                   std::size_t most) {
    std::set<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator each(path, error); !error && each != fs::directory_iterator();
         each.increment(error)) {
        if (each->is_regular_file(error)) {
            files.insert(each->path());
        }
    }
    if (error) {
        return fail(ErrorCode::Io, error.message(), {.file = path.string()});
    }
    std::vector<CalibrationCase> cases;
    for (const fs::path& file : files) {
        if (cases.size() < most) {
            ET_ASSIGN(auto more, casesOfTensors(file, graph, most - cases.size()));
            std::ranges::move(more, std::back_inserter(cases));
        }
    }
    return cases;
}

/// True for bundled programs, also damaged ones. Pipes can be read only once.
bool isBundle(const fs::path& path) {
    std::error_code ignored;
    if (path.extension() == ".bpte" || !fs::is_regular_file(path, ignored)) {
        return path.extension() == ".bpte";
    }
    const auto file = core::MappedFile::open(path);
    return file && core::detectFileKind((*file)->bytes()) == core::FileKind::BundledProgram;
}

}  // namespace

Result<std::vector<CalibrationCase>> readCases(const fs::path& path, std::string_view method,
                                               const etrecord::ExportedGraph& graph, std::size_t most) {
    const auto read = [&] {
        std::error_code ignored;
        if (fs::is_directory(path, ignored)) {
            return casesOfFolder(path, graph, most);
        }
        return isBundle(path) ? casesOfBundle(path, method, most) : casesOfTensors(path, graph, most);
    };
    auto cases = read();
    if (cases && cases->empty()) {
        return fail(ErrorCode::NotFound,
                    fmt::format("no inputs for the method \"{}\"", core::printable(method)),
                    {.file = path.string()});
    }
    return cases;
}

}  // namespace et::tasks
