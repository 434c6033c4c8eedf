// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream::event_field {

// Numbers of the fields that are read or written, by the messages of TensorFlow's event.proto, summary.proto and
// tensor.proto, of TensorBoard's hparams/plugin_data.proto and of protobuf's struct.proto.

inline constexpr int wallTime = 1, step = 2, fileVersion = 3, summary = 5, sessionLog = 7;  // Event
inline constexpr int sessionStatus = 1;                                                     // SessionLog
inline constexpr int sessionStarts = 1;                                                     // SessionLog.SessionStatus
inline constexpr int summaryValue = 1;                                                      // Summary
inline constexpr int tag = 1, simpleValue = 2, image = 4, histogram = 5, audio = 6, tensor = 8,
                     metadata = 9;                                // Summary.Value
inline constexpr int pluginData = 1;                              // SummaryMetadata
inline constexpr int pluginName = 1, pluginContent = 2;           // SummaryMetadata.PluginData
inline constexpr int dataType = 1, shape = 2, tensorContent = 4;  // TensorProto
inline constexpr int floatValues = 5, doubleValues = 6, intValues = 7, int64Values = 10, halfValues = 13;
inline constexpr int dimension = 2;                                      // TensorShapeProto
inline constexpr int dimensionSize = 1;                                  // TensorShapeProto.Dim
inline constexpr int sessionStart = 3, sessionEnd = 4;                   // HParamsPluginData
inline constexpr int hyperparameters = 1, groupName = 4, startTime = 5;  // SessionStartInfo
inline constexpr int endStatus = 1, endTime = 2;                         // SessionEndInfo
inline constexpr int succeeded = 1, failed = 2;                          // Status
inline constexpr int mapKey = 1, mapValue = 2;                           // an entry of a map
inline constexpr int numberValue = 2, stringValue = 3, boolValue = 4;    // google.protobuf.Value

inline constexpr int typeFloat = 1, typeDouble = 2, typeInt32 = 3, typeInt64 = 9, typeBfloat16 = 14,
                     typeHalf = 19;  // DataType

inline constexpr const char* hparamsPlugin = "hparams";
inline constexpr const char* scalarsPlugin = "scalars";
inline constexpr const char* sessionStartTag = "_hparams_/session_start_info";
inline constexpr const char* sessionEndTag = "_hparams_/session_end_info";

}  // namespace slipstream::event_field
