// Memory, events, threads, messages and the platform layer of a plugin, through functions of the host.

#include <et_inspect/adapter.h>
#include <executorch/extension/threadpool/cpuinfo_utils.h>
#include <executorch/extension/threadpool/threadpool.h>
#include <executorch/runtime/kernel/thread_parallel_interface.h>
#include <executorch/runtime/platform/abort.h>
#include <executorch/runtime/platform/log.h>
#include <executorch/runtime/platform/platform.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace et_inspect {
namespace {

using executorch::runtime::DelegateDebugIdType;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::EventTracerDebugLogLevel;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::TensorLayout;

constexpr size_t maxMessages = 1024;  ///< bytes

const Host* functions = nullptr;
thread_local Call* current = nullptr;
thread_local char logged[maxMessages] = "";
thread_local bool isInParallel = false;
thread_local bool isSerial = false;
thread_local int64_t threadNumber = 0;

/// A slot for a tensor that is not the host's.
TensorSlot slotFor(const TensorAccess::Impl& impl) {
    TensorSlot slot{};
    slot.data = impl.mutable_data();
    slot.elements = impl.numel();
    slot.dims = static_cast<uint8_t>(std::min<ssize_t>(impl.dim(), maxDims));
    slot.dtype = static_cast<uint8_t>(impl.scalar_type());
    int32_t step = 1;
    for (size_t i = slot.dims; i-- > 0;) {
        slot.sizes[i] = impl.sizes()[i];
        slot.dimOrder[i] = impl.dim_order().data() == nullptr ? static_cast<uint8_t>(i) : impl.dim_order()[i];
        slot.strides[i] = impl.strides().data() == nullptr ? step : impl.strides()[i];
        step *= slot.sizes[i];
    }
    return slot;
}

ValueSlot numberSlot(Kind kind, int64_t integer) {
    ValueSlot slot{};
    slot.kind = kind;
    slot.integer = integer;
    return slot;
}

/// A loop that several threads share.
struct Job {
    executorch::runtime::FunctionRef<void(int64_t, int64_t)> work;
    int64_t begin = 0;
    Call* call = nullptr;
    std::mutex lock{};
    std::vector<bool> isBusy{};  ///< by thread number
    std::exception_ptr failure{};
    std::string message{};

    int64_t takeNumber() {
        const std::lock_guard one(lock);
        const auto free = std::find(isBusy.begin(), isBusy.end(), false);
        const auto number = free - isBusy.begin();
        if (free == isBusy.end()) {
            isBusy.push_back(true);
        } else {
            *free = true;
        }
        return number;
    }
    void giveBack(int64_t number) {
        const std::lock_guard one(lock);
        isBusy[static_cast<size_t>(number)] = false;
    }
    void keepFailure() {
        const std::lock_guard one(lock);
        if (!failure) {
            failure = std::current_exception();
            message = logged;
        }
    }
};

void runPiece(void* context, uint64_t from, uint64_t to) {
    auto& job = *static_cast<Job*>(context);
    const CurrentCall scope(job.call);
    const int64_t number = job.takeNumber();
    const int64_t before = std::exchange(threadNumber, number);
    const bool wasIn = std::exchange(isInParallel, true);
#ifdef __cpp_exceptions
    try {
        job.work(job.begin + static_cast<int64_t>(from), job.begin + static_cast<int64_t>(to));
    } catch (...) {
        job.keepFailure();
    }
#else
    job.work(job.begin + static_cast<int64_t>(from), job.begin + static_cast<int64_t>(to));
#endif
    isInParallel = wasIn;
    threadNumber = before;
    job.giveBack(number);
}

}  // namespace

const Host& host() {
    return *functions;
}
void setHost(const Host* given) {
    functions = given;
}

Call* currentCall() {
    return current;
}
CurrentCall::CurrentCall(Call* call) : before(std::exchange(current, call)) {
}
CurrentCall::~CurrentCall() {
    current = before;
}

const char* messages() {
    return logged;
}
void forgetMessages() {
    logged[0] = '\0';
}
void addMessage(const char* text) {
    size_t used = std::strlen(logged);
    const auto append = [&](const char* part) {
        const size_t length = std::min(std::strlen(part), maxMessages - 1 - used);
        std::memcpy(logged + used, part, length);
        used += length;
        logged[used] = '\0';
    };
    append(used == 0 ? "" : "; ");
    append(text);
}
void printMessages() {
    if (logged[0] != '\0') {
        et_pal_emit_log_message(et_pal_current_ticks(), kError, "", "", 0, logged, std::strlen(logged));
        forgetMessages();
    }
}

void* HostAllocator::allocate(size_t size, size_t alignment) {
    used += size;
    return host().allocate(callHost, keep, size, alignment);
}

HostTracer::HostTracer(const Call& call) : callHost(call.host) {
    set_event_tracer_debug_level(static_cast<EventTracerDebugLogLevel>(call.debugLevel));
    log_intermediate_tensors_ = event_tracer_debug_level() == EventTracerDebugLogLevel::kIntermediateOutputs;
}

HostTracer::Entry HostTracer::start_profiling(const char* name, executorch::runtime::ChainID /*chain*/,
                                              executorch::runtime::DebugHandle /*handle*/) {
    return start_profiling_delegate(name, executorch::runtime::kUnsetDelegateDebugIntId);
}
void HostTracer::end_profiling(Entry entry) {
    end_profiling_delegate(entry, nullptr, 0);
}
HostTracer::Entry HostTracer::start_profiling_delegate(const char* name, int32_t id) {
    return {reinterpret_cast<intptr_t>(name), executorch::runtime::kUnsetChainId, static_cast<uint32_t>(id),
            et_pal_current_ticks(), name == nullptr ? DelegateDebugIdType::kInt : DelegateDebugIdType::kStr};
}
void HostTracer::end_profiling_delegate(Entry entry, const void* metadata, size_t size) {
    const auto* const name = reinterpret_cast<const char*>(static_cast<intptr_t>(entry.event_id));
    log_profiling_delegate(name, static_cast<int32_t>(entry.debug_handle), entry.start_time,
                           et_pal_current_ticks(), metadata, size);
}
void HostTracer::log_profiling_delegate(const char* name, int32_t id, et_timestamp_t start,
                                        et_timestamp_t end, const void* metadata, size_t size) {
    host().profile(callHost, name, id, start, end, metadata, size);
}

HostTracer::Result<bool> HostTracer::log_evalue(const EValue& value,
                                                executorch::runtime::LoggedEValueType /*type*/) {
    return value.isTensor() ? log_intermediate_output_delegate("", -1, value.toTensor()) : false;
}
HostTracer::Result<bool> HostTracer::log(const char* name, int32_t id, const ValueSlot& value) {
    if (filter != nullptr) {
        auto wanted = filter->filter(name, id);
        if (!wanted.ok() || !*wanted) {
            return wanted;
        }
    }
    host().logValue(callHost, name, id, &value);
    return true;
}
HostTracer::Result<bool> HostTracer::log_intermediate_output_delegate(const char* name, int32_t id,
                                                                      const Tensor& output) {
    TensorSlot slot = slotFor(*output.unsafeGetTensorImpl());
    ValueSlot value{};
    value.kind = Kind::Tensor;
    value.tensor = &slot;
    return log(name, id, value);
}
HostTracer::Result<bool> HostTracer::log_intermediate_output_delegate(
    const char* name, int32_t id, const executorch::runtime::ArrayRef<Tensor> output) {
    for (const Tensor& each : output) {
        auto done = log_intermediate_output_delegate(name, id, each);
        if (!done.ok() || !*done) {
            return done;
        }
    }
    return true;
}
HostTracer::Result<bool> HostTracer::log_intermediate_output_delegate(const char* name, int32_t id,
                                                                      const int& output) {
    return log(name, id, numberSlot(Kind::Int, output));
}
HostTracer::Result<bool> HostTracer::log_intermediate_output_delegate(const char* name, int32_t id,
                                                                      const bool& output) {
    return log(name, id, numberSlot(Kind::Bool, output ? 1 : 0));
}
HostTracer::Result<bool> HostTracer::log_intermediate_output_delegate(const char* name, int32_t id,
                                                                      const double& output) {
    ValueSlot value{};
    value.kind = Kind::Double;
    value.number = output;
    return log(name, id, value);
}

HostData::Result<const TensorLayout> HostData::get_tensor_layout(std::string_view /*key*/) const {
    return Error::NotSupported;
}
HostData::Result<FreeableBuffer> HostData::get_data(std::string_view key) const {
    const void* data = nullptr;
    uint64_t bytes = 0;
    if (!host().findData(callHost, key.data(), key.size(), &data, &bytes)) {
        ET_LOG(Error, "no data named \"%.*s\"", static_cast<int>(key.size()), key.data());
        return Error::NotFound;
    }
    return FreeableBuffer(data, bytes, nullptr);
}
Error HostData::load_data_into(std::string_view key, void* buffer, size_t size) const {
    auto found = get_data(key);
    if (!found.ok()) {
        return found.error();
    }
    ET_CHECK_OR_RETURN_ERROR(found->size() == size, InvalidArgument,
                             "the data named \"%.*s\" have %zu bytes, not %zu", static_cast<int>(key.size()),
                             key.data(), found->size(), size);
    std::memcpy(buffer, found->data(), size);
    return Error::Ok;
}

}  // namespace et_inspect

namespace executorch::runtime {

void runtime_abort() {
#ifdef __cpp_exceptions
    if (et_inspect::current != nullptr) {
        throw et_inspect::FailedCheck();
    }
#endif
    et_pal_abort();
}

namespace internal {

et_timestamp_t get_log_timestamp() {
    return et_pal_current_ticks();
}

void vlogf(LogLevel level, et_timestamp_t timestamp, const char* filename, const char* function, size_t line,
           const char* format, va_list arguments) {
    char text[et_inspect::maxMessages];
    const int length = std::vsnprintf(text, sizeof(text), format, arguments);
    // The message of a failed call becomes the host's error.
    if (level >= LogLevel::Error && et_inspect::current != nullptr) {
        et_inspect::addMessage(text);
        return;
    }
    constexpr char letters[] = {kDebug, kInfo, kError, kFatal};
    const auto letter =
        static_cast<size_t>(level) < sizeof(letters) ? letters[static_cast<size_t>(level)] : '?';
    const size_t written = std::min(static_cast<size_t>(std::max(length, 0)), sizeof(text) - 1);
    et_pal_emit_log_message(timestamp, static_cast<et_pal_log_level_t>(letter), filename, function, line,
                            text, written);
}

}  // namespace internal
}  // namespace executorch::runtime

// A plugin may define these itself.
extern "C" {

ET_WEAK void et_pal_init(void) {
}
ET_WEAK void et_pal_abort(void) {
    std::abort();
}
ET_WEAK et_timestamp_t et_pal_current_ticks(void) {
    return static_cast<et_timestamp_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                           std::chrono::steady_clock::now().time_since_epoch())
                                           .count());
}
ET_WEAK et_tick_ratio_t et_pal_ticks_to_ns_multiplier(void) {
    return {1, 1};
}
ET_WEAK void et_pal_emit_log_message(et_timestamp_t /*timestamp*/, et_pal_log_level_t level,
                                     const char* filename, const char* /*function*/, size_t line,
                                     const char* message, size_t length) {
    std::fprintf(stderr, "%c %s:%zu: %.*s\n", static_cast<char>(level), filename, line,
                 static_cast<int>(length), message);
}
ET_WEAK void* et_pal_allocate(size_t size) {
    return std::malloc(size);
}
ET_WEAK void et_pal_free(void* memory) {
    std::free(memory);
}
}

namespace executorch::extension {

bool parallel_for(int64_t begin, int64_t end, int64_t grain_size,
                  runtime::FunctionRef<void(int64_t, int64_t)> work) {
    ET_CHECK_OR_RETURN_FALSE(begin >= 0 && end >= begin && grain_size > 0,
                             "invalid loop from %" PRId64 " to %" PRId64 " in steps of %" PRId64, begin, end,
                             grain_size);
    if (begin == end) {
        return true;
    }
    et_inspect::Call* const call = et_inspect::current;
    if (call == nullptr || et_inspect::isInParallel || et_inspect::isSerial || end - begin <= grain_size) {
        work(begin, end);
        return true;
    }
    et_inspect::Job job{work, begin, call};
    et_inspect::host().parallel(call->host, static_cast<uint64_t>(end - begin),
                                static_cast<uint64_t>(grain_size), &et_inspect::runPiece, &job);
#ifdef __cpp_exceptions
    if (job.failure) {
        if (et_inspect::logged[0] == '\0') {
            et_inspect::addMessage(job.message.c_str());
        }
        std::rethrow_exception(job.failure);
    }
#endif
    return true;
}

int64_t get_thread_num() {
    return et_inspect::threadNumber;
}
void set_thread_num(int64_t thread_num) {
    et_inspect::threadNumber = thread_num;
}

namespace threadpool {

bool NoThreadPoolGuard::is_enabled() {
    return et_inspect::isSerial;
}
void NoThreadPoolGuard::set_enabled(bool enabled) {
    et_inspect::isSerial = enabled;
}

size_t ThreadPool::get_thread_count() const {
    const et_inspect::Call* const call = et_inspect::current;
    return call == nullptr ? 1 : et_inspect::host().threads(call->host);
}
void ThreadPool::run(runtime::FunctionRef<void(size_t)> work, size_t range) {
    parallel_for(0, static_cast<int64_t>(range), 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            work(static_cast<size_t>(i));
        }
    });
}

ThreadPool* get_threadpool() {
    static ThreadPool pool;
    return &pool;
}
pthreadpool_t get_pthreadpool() {
    const et_inspect::Call* const call = et_inspect::current;
    return call == nullptr || et_inspect::isSerial
               ? nullptr
               : static_cast<pthreadpool_t>(et_inspect::host().threadPool(call->host));
}

}  // namespace threadpool

namespace cpuinfo {
uint32_t get_num_performant_cores() {
    return static_cast<uint32_t>(threadpool::get_threadpool()->get_thread_count());
}
}  // namespace cpuinfo

}  // namespace executorch::extension
