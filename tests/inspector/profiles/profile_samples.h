#pragma once

#include "inspector/profiles/vendor_profile.h"

#include <span>
#include <string_view>
#include <vector>

// Small profiles in the formats of vendors' tools, made for the tests.
namespace et::test {

inline core::Result<inspector::VendorProfile> readProfileText(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return inspector::readProfile(*core::MappedFile::fromMemory({bytes.begin(), bytes.end()}, "profile"));
}

/// Two runs at 500 and 1000 MHz.
inline constexpr std::string_view qnnCsv =
    "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier\n"
    "10,BACKEND,4,COUNT,BACKEND,ROOT,Number of HVX threads used\n"
    "11,BACKEND,2000,CYCLES,BACKEND,ROOT,Accelerator (execute) time (cycles)\n"
    "12,NODE,1500,CYCLES,BACKEND,SUB-EVENT,\"node_1:OpId_21 (cycles)\"\n"
    "13,NODE,500,CYCLES,BACKEND,SUB-EVENT,\"node_2:OpId_22 (cycles)\"\n"
    "14,BACKEND,4,US,BACKEND,ROOT,Accelerator (execute) time\n"
    "20,BACKEND,2000,CYCLES,BACKEND,ROOT,Accelerator (execute) time (cycles)\n"
    "21,NODE,1200,CYCLES,BACKEND,SUB-EVENT,\"node_1:OpId_21 (cycles)\"\n"
    "22,NODE,800,CYCLES,BACKEND,SUB-EVENT,\"node_2:OpId_22 (cycles)\"\n"
    "23,BACKEND,2,US,BACKEND,ROOT,Accelerator (execute) time\n";

inline constexpr std::string_view tensorRtTimes = R"([
  { "count" : 10 }
, { "name" : "node_1 + node_2", "timeMs" : 0.5, "averageMs" : 0.05, "medianMs" : 0.04, "percentage" : 83.3 }
, { "name" : "Reformat", "timeMs" : 0.1, "averageMs" : 0.01, "medianMs" : 0.01, "percentage" : 16.7 }
])";

inline constexpr std::string_view tensorRtLayers = R"({"Layers": [
  {"Name": "node_1 + node_2", "LayerType": "kgen", "Inputs": [{"Name": "x", "Dimensions": [1, 8]}]},
  "Reformat"], "Bindings": ["x", "y"]})";

/// The columns of `--verbose-performance`, with two that other versions add.
inline constexpr std::string_view velaCsv =
    "Original Operator,NNG Operator,Target,Staging Usage,Peak% (Staging),Op Cycles,Network% (cycles),NPU,"
    "SRAM AC,DRAM AC,OnFlash AC,OffFlash AC,MAC Count,Network% (MAC),Util% (MAC),Name\n"
    "CONV_2D,Conv2D,NPU,11936,54.6,7312.0,70.1,7312.0,2000.0,0.0,0.0,0.0,73008,91.3,3.9,node_1\n"
    "MAX_POOL_2D,MaxPool,NPU,10944,50.1,2992.0,28.7,1330.0,2992.0,0.0,0.0,0.0,6912,8.6,0.9,node_2\n";

inline constexpr std::string_view computePlan = R"({"operations": [
  {"operatorName": "ios17.conv", "outputNames": ["node_1_cast_fp16"], "preferredComputeUnit": "NE",
   "supportedComputeUnits": ["CPU", "NE"], "estimatedCost": 0.75},
  {"operatorName": "ios17.relu", "outputNames": ["node_2_cast_fp16"], "preferredComputeUnit": "CPU",
   "supportedComputeUnits": ["CPU"], "estimatedCost": 0.25}]})";

/// The columns of the Functions view.
inline constexpr std::string_view streamlineCsv =
    "Self,% Self,Instances,Stack,Size,Function Name,Location,Image\n"
    "25,62.5%,1,64,512,node_1,conv.c:10,model\n"
    "15,37.5%,2,32,128,memcpy,<unknown>,libc.so\n";

}  // namespace et::test
