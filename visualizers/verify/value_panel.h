#pragma once

#include "visualizers/verify/heat_map.h"
#include "visualizers/verify/slice_model.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace et::visualizers {

/// One tensor: name, type, heat map and numbers.
class ValuePanel : public QWidget {
    Q_OBJECT

  public:
    explicit ValuePanel(ColourScale::Kind kind, QWidget* parent = nullptr);

    void setTitle(const QString& title);

    /// If null, shows `absence`, the reason for the missing tensor.
    void setValues(std::shared_ptr<const TensorValues> tensor, const ColourScale& colours,
                   const QString& absence);
    void setMarks(std::shared_ptr<const std::vector<bool>> marks);
    void setSlice(const Slice& part);
    void setCursor(SliceCell cell);

    [[nodiscard]] HeatMap& heatMap() { return *map; }
    [[nodiscard]] QTableView& table() { return *numbers; }
    [[nodiscard]] SliceModel& model() { return *cells; }
    [[nodiscard]] QString caption() const;

  signals:
    void cellChosen(et::visualizers::SliceCell cell);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showHeading();

    QString name;
    QString missing;  ///< reason for the missing tensor
    QLabel* heading;
    HeatMap* map;
    QTableView* numbers;
    SliceModel* cells;
    std::shared_ptr<const TensorValues> values;
};

}  // namespace et::visualizers
