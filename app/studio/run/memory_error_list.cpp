#include "app/studio/run/memory_error_list.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <cstddef>
#include <utility>

namespace et::studio {

namespace {

constexpr std::array<const char*, MemoryErrorList::columnTotal> errorHeaders{
    "Error", "Instruction", "Operator", "Argument", "Access", "Function", "Python", "Detail"};

QString memoryErrorText(const QJsonObject& object, const char* key) {
    return object.value(QLatin1String(key)).toString();
}

/// "write of 4 bytes at byte 24 (element 6)".
QString memoryAccessText(const QJsonObject& object) {
    QString text = memoryErrorText(object, "access");
    if (const qint64 bytes = object.value(QLatin1String("access_bytes")).toInteger(); bytes > 0) {
        text += QStringLiteral(" of %1 bytes").arg(bytes);
    }
    if (const QJsonValue offset = object.value(QLatin1String("byte_offset")); offset.isDouble()) {
        text += QStringLiteral(" at byte %1").arg(offset.toInteger());
    }
    if (const QJsonValue element = object.value(QLatin1String("element")); element.isDouble()) {
        text += QStringLiteral(" (element %1)").arg(element.toInteger());
    }
    return text.trimmed();
}

QString memoryFunctionText(const QJsonObject& object) {
    const QString file = memoryErrorText(object, "source_file");
    const QString function = memoryErrorText(object, "function");
    return file.isEmpty() ? function
                          : QStringLiteral("%1 (%2:%3)")
                                .arg(function, file)
                                .arg(object.value(QLatin1String("source_line")).toInteger());
}

QString memoryArgumentText(const QJsonObject& object) {
    const QJsonValue number = object.value(QLatin1String("argument"));
    if (!number.isDouble()) {
        return {};
    }
    const QString name = memoryErrorText(object, "argument_name");
    return name.isEmpty() ? QString::number(number.toInteger())
                          : QStringLiteral("%1 (%2)").arg(number.toInteger()).arg(name);
}

MemoryErrorRow memoryErrorRow(const QJsonObject& object) {
    MemoryErrorRow row{.error = memoryErrorText(object, "meaning"),
                       .method = memoryErrorText(object, "method"),
                       .instruction = {},
                       .op = memoryErrorText(object, "operator"),
                       .argument = memoryArgumentText(object),
                       .access = memoryAccessText(object),
                       .function = memoryFunctionText(object),
                       .python = memoryErrorText(object, "python"),
                       .detail = memoryErrorText(object, "detail")};
    const int instruction = object.value(QLatin1String("instruction")).toInt(-1);
    if (instruction >= 0 && object.value(QLatin1String("chain")).toInt() == 0) {
        row.instruction = instruction;
    }
    return row;
}

QString memoryErrorCell(const MemoryErrorRow& row, int column) {
    switch (column) {
        case MemoryErrorList::Error:
            return row.error;
        case MemoryErrorList::Instruction:
            return row.instruction ? QString::number(*row.instruction) : QString();
        case MemoryErrorList::Operator:
            return row.op;
        case MemoryErrorList::Argument:
            return row.argument;
        case MemoryErrorList::Access:
            return row.access;
        case MemoryErrorList::Function:
            return row.function;
        case MemoryErrorList::Python:
            return row.python;
        default:
            return row.detail;
    }
}

}  // namespace

std::optional<std::vector<MemoryErrorRow>> readMemoryErrors(const QByteArray& json) {
    const QJsonValue listed = QJsonDocument::fromJson(json).object().value(QLatin1String("memory_errors"));
    if (!listed.isArray()) {
        return std::nullopt;
    }
    std::vector<MemoryErrorRow> rows;
    const QJsonArray errors = listed.toArray();
    for (const QJsonValue& each : errors) {
        rows.push_back(memoryErrorRow(each.toObject()));
    }
    return rows;
}

void MemoryErrorList::setErrors(std::vector<MemoryErrorRow> all) {
    beginResetModel();
    errors = std::move(all);
    endResetModel();
}

const MemoryErrorRow* MemoryErrorList::error(const QModelIndex& index) const {
    return index.isValid() ? &errors[static_cast<std::size_t>(index.row())] : nullptr;
}

int MemoryErrorList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(errors.size());
}

int MemoryErrorList::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant MemoryErrorList::data(const QModelIndex& index, int role) const {
    const MemoryErrorRow* const row = error(index);
    if (row == nullptr || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    return memoryErrorCell(*row, index.column());
}

QVariant MemoryErrorList::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnTotal) {
        return {};
    }
    return QString::fromUtf8(errorHeaders[static_cast<std::size_t>(section)]);
}

}  // namespace et::studio
