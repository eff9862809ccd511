#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

constexpr Message memoryRows[] = {
    {"pool-exhausted",
     "Memory allocation failed: {need:d}B requested (adjusted for alignment), {have:d}B available", Reason,
     "A memory pool has {have} bytes left and {need} are requested", 0x21},
    {"pool-exhausted", "Memory allocation failed: {need:d}B requested, {have:d}B available", Reason},
    {"planned-too-small",
     "offset_bytes ({offset:d}) + size_bytes ({size:d}) >= allocator size ({have:d}) for memory_id {pool:d}",
     Reason, "The memory plan needs more than the {have} bytes of planned buffer {pool}", 0x21},
    {"planned-too-small",
     "offset_bytes ({offset:d}) + size_bytes ({size:d}) > allocator size ({have:d}) for memory_id {pool:d}",
     Reason},
    {"planned-missing", "id {pool:d} >= {pools:d}", Reason,
     "The program uses planned buffer {pool}, and the runtime was given {pools}", 0x12},
    {"planned-not-allocated", "Could not allocate memory for memory planned buffer size {planned:d}", Reason,
     "The runner cannot allocate the planned buffer of {planned} bytes", 0x21},
    {"planned-not-allocated",
     "Could not allocate memory for planned buffer with mem_id={pool:d}, size {planned:d}", Reason},
    {"fast-memory", "but ET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE is not set", Reason,
     "The program plans memory in a fast region that the runner does not have"},
    {"trace-memory", "ETDump allocator out of memory: requested {need:d}, have {have:d}", Reason,
     "The trace buffer is full"},
    {"trace-memory", "ETDump emitter out of memory", Reason},
    {"trace-memory", "Ran out of space to store intermediate outputs", Reason},
    {"malloc-failed", "Failed to allocate device memory", Reason},
    {"planned-buffer", "Setting up planned buffer {buffer:d}, size {planned:d}", Context,
     "Size of a planned buffer"},
    {"planned-buffer", "Setting up non-const buffer {buffer:d}, size {planned:d}", Context},
    {"no-capacity", "allocate() on zero-capacity allocator", Reason,
     "Memory is requested from a pool without any", 0x21},
    {"same-allocator", "method allocator cannot be the same as temp allocator", Reason,
     "One pool is used both for the method and for temporary memory", 0},
    {"alignment-invalid", "Alignment {alignment:d} is not a power of 2", Reason,
     "An alignment of {alignment} is requested, which is not a power of 2", 0x12},
    {"malloc-failed", "Malloc failed to allocate {need:d} bytes", Reason, "The heap has no {need} bytes left",
     0x21},
    {"malloc-failed", "Failed to allocate {need:d} bytes", General},
    {"malloc-failed", "XNN weight cache failed to allocate {need:d} bytes", Reason},
    {"load-allocation", "Failed to allocate values array of size {need:d}", Reason,
     "The method pool has no space for the structures of the method", 0x21},
    {"load-allocation", "Failed to allocate input_set", Reason},
    {"load-allocation", "Failed to allocate external_constants", Reason},
    {"load-allocation", "Failed to allocate delegates array", Reason},
    {"load-allocation", "Failed to allocate chains array", Reason},
    {"load-allocation", "Failed to allocate instruction kernels", Reason},
    {"load-allocation", "Failed to allocate instruction arg lists", Reason},
    {"temporary-allocation", "Failed to allocate temp memory", Reason, "A kernel found no temporary memory",
     0x21},
    {"temporary-allocation", "Failed to allocate temporary memory", Reason},
    {"temporary-allocation", "No temp allocator provided", Reason},
    {"temporary-allocation", "Requested temp memory is too large", Reason},
    {"out-of-memory-killer", "Out of memory: Killed process {pid:d}", Crash,
     "The system ended the process because memory ran out"},
    {"out-of-memory-killer", "lowmemorykiller: Kill", Crash},
    {"out-of-memory-killer", "EXC_RESOURCE RESOURCE_TYPE_MEMORY", Crash},
    {"bad-alloc", "std::bad_alloc", Crash, "The process ran out of memory (std::bad_alloc)"},
    {"region-overflow", "region `{region}' overflowed by {missing:d} bytes", Reason,
     "The firmware does not fit: region {region} of the linker script is {missing} bytes too small"},
};

constexpr Cause memoryCauseRows[] = {
    {"pool-exhausted", Likely, "seen=planned-not-allocated",
     "The pool from which the runner allocates is too small for the memory plan: the planned buffer of "
     "{planned} bytes "
     "(activations, inputs and outputs) does not fit.",
     "[[planned buffers of the program: {program.pools}; ]]{have} bytes were left",
     "Enlarge the runner's pool for the model (for example ET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE, or "
     "the method allocator pool size "
     "of the sample) to more than {planned} bytes, and give the linker script a memory region of that size.",
     "seen=planned-not-allocated"},
    {"pool-exhausted", Likely, "seen=ethos-scratch",
     "The temporary pool is too small for the scratch buffer of the Ethos-U delegate.",
     "[[the scratch buffer needs {scratch} bytes; ]]{have} bytes were left",
     "Enlarge the temporary allocator pool (ET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE) to the size "
     "that Vela reports for the arena, or compile with a "
     "memory mode that uses less."},
    {"pool-exhausted", Likely, "!seen=planned-not-allocated !seen=ethos-scratch !seen=execution-outcome",
     "The method pool is too small for the runtime's structures of this method (values, tensors, "
     "instructions, delegates). The planned "
     "buffers are a separate budget and do not help.",
     "{need} bytes are requested and {have} are left[[; the method needs about {program.load32} with 32-bit "
     "and {program.load64} with "
     "64-bit pointers (`et-inspect fit`)]][[; planned: {program.pools}]]",
     "Enlarge the method allocator pool (double it first), load, and read its used size to find the real "
     "need; "
     "`et-inspect fit MODEL` estimates it."},
    {"pool-exhausted", Likely, "seen=execution-outcome",
     "The temporary pool is too small for the memory that a kernel or delegate needs while running.",
     "{need} bytes are requested and {have} are left[[; delegates state {program.scratch} of temporary "
     "memory]]",
     "Enlarge the temporary allocator of the MemoryManager; `et-inspect fit MODEL --measure` shows the "
     "need."},
    {"pool-exhausted", Possible, "!seen=planned-not-allocated",
     "A delegate allocates its own structures from the method pool at load time.",
     "[[delegates: {program.backends}]]", "Include the need of the backend when the pool is sized."},
    {"planned-too-small", Likely, "",
     "The planned buffer that the application provides is smaller than the memory plan of this program.",
     "the tensor ends at byte {offset} + {size}, the buffer has {have} bytes[[; the program plans "
     "{program.pools}]]",
     "Size each buffer from the program (MethodMeta::memory_planned_buffer_size()), not from a constant; "
     "after an export with other input sizes the need changes.",
     "program.pools=*"},
    {"planned-missing", Likely, "", "The MemoryManager was given fewer planned buffers than the program has.",
     "[[the program plans {program.pools}]]",
     "Create one buffer for each of MethodMeta::num_memory_planned_buffers().", "program.pools=*"},
    {"planned-not-allocated", Likely, "",
     "The memory plan needs {planned} bytes for activations, inputs and outputs, and the pool of the runner "
     "is smaller.",
     "[[the program plans {program.pools}]]",
     "Configure a larger pool for the runner (method allocator pool size) and a memory region of that size "
     "in the linker script; or shrink the plan "
     "(`et-inspect replan MODEL`, smaller inputs).",
     "program.pools=*"},
    {"fast-memory", Certain, "", "The runner was built without the second memory region.",
     "[[the program plans {program.pools}]]",
     "Build it with ET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE, or export with one memory region."},
    {"trace-memory", Likely, "", "The buffer for the trace or for intermediate values is too small.", "",
     "Enlarge the debug buffer, trace fewer iterations, or switch off the event tracer."},
    {"no-capacity", Likely, "",
     "No memory was given for this purpose, usually for temporary memory or planned buffers.", "",
     "Give the MemoryManager a temporary allocator with memory."},
    {"same-allocator", Certain, "", "The same allocator object is passed as method and temporary allocator.",
     "", "Create two allocators: the temporary one is reset during execution."},
    {"alignment-invalid", Likely, "", "A caller passed a wrong alignment to allocate().", "",
     "Pass a power of 2."},
    {"malloc-failed", Likely, "", "The process or device has too little memory for the model.",
     "[[the program plans {program.pools}]]",
     "Load with mmap instead of copying the file, use a smaller or quantized model, and look for a size that "
     "is far too large: it can come from a damaged "
     "file or a wrong upper bound of a dynamic dimension."},
    {"load-allocation", Likely, "",
     "The method pool is too small for the runtime's structures of this method.",
     "[[the method needs about {program.load32} with 32-bit and {program.load64} with 64-bit pointers]]",
     "Enlarge the method allocator pool."},
    {"temporary-allocation", Likely, "",
     "The temporary allocator is missing or too small for this kernel[[ ({kernel})]].",
     "[[delegates state {program.scratch} of temporary memory]]",
     "Give the MemoryManager a (larger) temporary allocator; `et-inspect fit MODEL --measure` shows the "
     "need."},
    {"out-of-memory-killer", Likely, "",
     "The model, its planned memory and the packed weights need more memory than the system grants the "
     "process.",
     "[[the program plans {program.pools}]]",
     "Load with mmap, use a smaller or quantized model or a shorter context, and close other apps; on iOS "
     "request the increased memory limit entitlement."},
    {"bad-alloc", Likely, "",
     "The heap is exhausted, or a size from a damaged file or a wrong argument is far too large.",
     "[[the program plans {program.pools}]]",
     "Check the sizes with `et-inspect info MODEL`; use a smaller model or shape bounds."},
    {"region-overflow", Certain, "",
     "Program code, the model in flash and the memory pools exceed the region {region} of the linker script.",
     "",
     "Enlarge the region if the chip has more memory, move the model to another memory, or use a selective "
     "build (`et-inspect fit --oplist`)."},
};

}  // namespace

const std::span<const Message> memoryMessages = memoryRows;
const std::span<const Cause> memoryCauses = memoryCauseRows;

}  // namespace et::inspector::knowledge
