#pragma once

#include "inspector/format/table.h"
#include "visualizers/lab/lab_study.h"

#include <QAbstractTableModel>

#include <memory>

namespace et::visualizers {

/// The sites of a study as rows, in graph order. The box of a row is checked where its site is in int8; sites
/// that cannot be chosen have none.
class SiteModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int { Site, Only, Saved, Module, Operator, AllBut, Cause, ColumnCount };
    enum Role : int { SortRole = Qt::UserRole };  ///< double or QString

    using QAbstractTableModel::QAbstractTableModel;

    /// Null shows nothing. All sites that can be are in int8 at first.
    void setStudy(std::shared_ptr<const LabStudy> shown);
    /// Of as many sites; says nothing with choiceEdited().
    void setChoice(const LabChoice& choice);
    [[nodiscard]] const LabChoice& choice() const { return inFloat; }
    /// A person turns these sites round; those that cannot be chosen stay.
    void toggle(const std::vector<std::size_t>& sites);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    /// Rows as a table for report::render().
    [[nodiscard]] inspector::report::Table table(const std::vector<std::size_t>& rows) const;

  signals:
    /// A person wants these sites in float.
    void choiceEdited();

  private:
    [[nodiscard]] QVariant text(const LabSite& site, int column) const;
    [[nodiscard]] static QVariant sortKey(const LabSite& site, int column);
    [[nodiscard]] QString tip(std::size_t row) const;

    std::shared_ptr<const LabStudy> study;
    LabChoice inFloat;
};

}  // namespace et::visualizers
