#include "backends/xnnpack/library/library_runtime.h"

#include "backends/xnnpack/library/library_memory.h"
#include "backends/xnnpack/library/status.h"
#include "backends/xnnpack/nodes/argument_rules.h"
#include "backends/xnnpack/nodes/fusion_hazards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::Result;

namespace {

/// Disables fusion. A flag that the library supports without declaring it in its header.
constexpr std::uint32_t noFusion = 0x80000000;

/// Whether the library has inner values and all of them are empty. Binary nodes with an activation have an
/// inner value before the activation.
bool areInnerEmpty(const Payload& payload, const Shapes& shapes) {
    bool areThere = false;
    for (const PayloadNode& node : payload.nodes) {
        const bool hasActivation = node.range && node.traits->form() == NodeForm::Binary;
        for (const ValueIndex output : node.outputs) {
            if (payload.value(output).externalId && !hasActivation) {
                continue;
            }
            if (!std::ranges::contains(shapes[output], std::size_t{0})) {
                return false;
            }
            areThere = true;
        }
    }
    return areThere;
}

}  // namespace

Result<> initializeLibrary() {
    static const xnn_status initialized = xnn_initialize(&libraryAllocator());
    return checkStatus(initialized, "initialisation");
}

Result<std::shared_ptr<Workspace>> Workspace::make() {
    ET_TRY(initializeLibrary());
    auto made = std::make_shared<Workspace>();
    xnn_workspace_t workspace = nullptr;
    ET_TRY(checkStatus(xnn_create_workspace(&workspace), "a workspace"));
    made->handle.reset(workspace);
    return made;
}

Result<std::shared_ptr<Workspace>> Workspace::ofProcess() {
    static std::mutex mutex;
    static std::weak_ptr<Workspace> only;
    const std::scoped_lock lock(mutex);
    if (auto known = only.lock()) {
        return known;
    }
    ET_ASSIGN(auto made, make());
    made->isOfProcess = true;
    only = made;
    return made;
}

std::unique_lock<std::recursive_mutex> Workspace::lock() {
    return isOfProcess ? std::unique_lock(mutex) : std::unique_lock<std::recursive_mutex>();
}

Result<std::shared_ptr<SharedMemory>> SharedMemory::make() {
    ET_ASSIGN(auto workspace, Workspace::make());
    return std::make_shared<SharedMemory>(std::make_shared<WeightsCache>(), std::move(workspace));
}

Result<LibraryRuntime> LibraryRuntime::make(const Payload& payload, const ConstantData& constants,
                                            const Shapes& shapes, std::shared_ptr<SharedMemory> shared,
                                            const kernels::ThreadPool& threads, Options options,
                                            std::uint64_t memoryBytes) {
    ET_ASSIGN(BuiltGraph built, buildSubgraph(payload, constants, shapes, options.widenHalf));
    LibraryRuntime made;
    xnn_runtime_t runtime = nullptr;
    const std::uint32_t flags =
        (options.profiled ? XNN_FLAG_BASIC_PROFILING : 0U) | (isFusedRight(payload) ? 0U : noFusion);
    shared->weights->open(memoryBytes);
    const xnn_status status =
        xnn_create_runtime_v4(built.graph.get(), shared->weights->handle(), shared->workspace->handle.get(),
                              threads.handle(), flags, &runtime);
    shared->weights->close();
    if (status != xnn_status_success) {
        return std::unexpected(checkStatus(status, "a delegate's graph", violatedRule(payload)).error());
    }
    made.runtime.reset(runtime);
    made.shared = std::move(shared);
    made.libraryNodes = std::move(built.nodes);
    made.oneShape = built.isForOneShape;
    made.externals.reserve(payload.externals.size());
    for (std::uint32_t i = 0; i < payload.externals.size(); ++i) {
        made.externals.push_back({.id = i, .data = nullptr});
    }
    return made;
}

Result<> LibraryRuntime::reshape(const Payload& payload, const Shapes& shapes) {
    // The library allocates no memory for these, and aborts because they have no address.
    if (areInnerEmpty(payload, shapes)) {
        return core::fail(ErrorCode::Unsupported,
                          "expected a non-empty value inside the delegate, got an empty one");
    }
    for (std::uint32_t i = 0; i < payload.externals.size(); ++i) {
        const ValueIndex value = payload.externals[i];
        if (payload.value(value).isInput) {
            ET_TRY(checkStatus(
                xnn_reshape_external_value(runtime.get(), i, shapes[value].size(), shapes[value].data()),
                "the shape of an input"));
        }
    }
    ++shared->workspace->reshapes;
    const WorkspaceWatch watch;
    const xnn_status status = xnn_reshape_runtime(runtime.get());
    shared->workspace->bytes = std::max(shared->workspace->bytes, watch.bytes());
    ET_TRY(checkStatus(status, "the shapes of the inputs"));
    for (std::uint32_t i = 0; i < payload.externals.size(); ++i) {
        if (payload.value(payload.externals[i]).isOutput) {
            ET_TRY(checkOutput(i, shapes[payload.externals[i]]));
        }
    }
    return {};
}

Result<> LibraryRuntime::checkOutput(std::uint32_t external, const ValueSizes& expected) const {
    std::array<std::size_t, XNN_MAX_TENSOR_DIMS> sizes{};
    std::size_t rank = 0;
    ET_TRY(
        checkStatus(xnn_get_external_value_shape(runtime.get(), external, &rank, sizes.data()), "an output"));
    if (!std::ranges::equal(std::span(sizes).first(std::min(rank, sizes.size())), expected)) {
        return core::fail(ErrorCode::Unsupported,
                          fmt::format("expected an output [{}], XNNPACK computes [{}]",
                                      fmt::join(expected.begin(), expected.end(), ", "),
                                      fmt::join(std::span(sizes).first(rank), ", ")));
    }
    return {};
}

Result<> LibraryRuntime::run(std::span<void* const> addresses) {
    bool moved = false;
    for (std::size_t i = 0; i < externals.size(); ++i) {
        moved = moved || externals[i].data != addresses[i];
        externals[i].data = addresses[i];
    }
    setUpAt = moved ? 0 : setUpAt;
    return runAgain();
}

Result<> LibraryRuntime::runAgain() {
    if (setUpAt != shared->workspace->reshapes) {
        setUpAt = 0;
        ET_TRY(checkStatus(xnn_setup_runtime_v2(runtime.get(), externals.size(), externals.data()),
                           "the memory of the arguments"));
        setUpAt = shared->workspace->reshapes;
    }
    return checkStatus(xnn_invoke_runtime(runtime.get()), "to run");
}

Result<std::vector<std::string>> LibraryRuntime::operatorNames() const {
    std::size_t size = 0;
    (void)xnn_get_runtime_profiling_info(runtime.get(), xnn_profile_info_operator_name, 0, nullptr, &size);
    std::string text(size, '\0');
    if (size != 0) {
        ET_TRY(checkStatus(xnn_get_runtime_profiling_info(runtime.get(), xnn_profile_info_operator_name,
                                                          text.size(), text.data(), &size),
                           "the names of operators"));
    }
    std::vector<std::string> names;
    for (std::size_t at = 0; at < text.size(); at += names.back().size() + 1) {
        names.push_back(text.substr(at, std::min(text.find('\0', at), text.size()) - at));
    }
    return names;
}

Result<std::size_t> LibraryRuntime::operatorTimes(std::span<std::uint64_t> microseconds) const {
    // The library only reports the required bytes if the buffer is too small.
    std::size_t bytes = 0;
    (void)xnn_get_runtime_profiling_info(runtime.get(), xnn_profile_info_operator_timing, 0, nullptr, &bytes);
    if (bytes != 0) {
        ET_TRY(checkStatus(
            xnn_get_runtime_profiling_info(runtime.get(), xnn_profile_info_operator_timing,
                                           microseconds.size_bytes(), microseconds.data(), &bytes),
            "the times of operators"));
    }
    return bytes / sizeof(std::uint64_t);
}

}  // namespace et::backends::xnnpack
