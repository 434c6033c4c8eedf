<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Chart</name>
    <message>
        <source>smoothed</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>raw</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>raw at %1</source>
        <translation>原始值（%1）</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>还有 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>（%1）</translation>
    </message>
</context>
<context>
    <name>CheckpointCharts</name>
    <message>
        <source>dotted lines: checkpoints, dashed: the chosen one</source>
        <translation>点线：检查点，虚线：所选</translation>
    </message>
</context>
<context>
    <name>Command</name>
    <message>
        <source>%1 cannot be run: %2. Install it beside this window, and try again.</source>
        <translation>无法运行 %1：%2。请将它安装在本窗口程序旁边，然后重试。</translation>
    </message>
</context>
<context>
    <name>CompareHeader</name>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>seeds %1 to %2</source>
        <translation>种子 %1 到 %2</translation>
    </message>
    <message>
        <source>seeds %1</source>
        <translation>种子 %1</translation>
    </message>
</context>
<context>
    <name>Document</name>
    <message>
        <source>%1 (± %2)</source>
        <translation>%1（± %2）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>DocumentFiles</name>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>JSON files (*.json)</source>
        <translation>JSON 文件 (*.json)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Save changes to &quot;%1&quot;?</source>
        <translation>保存对“%1”的更改？</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Changed on disk</source>
        <translation>文件已被改动</translation>
    </message>
    <message>
        <source>%1 was changed by another program since it was opened here. Overwriting loses that change.</source>
        <translation>%1 在此处打开之后被其他程序改动过。覆盖将丢失那次改动。</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>Takes up the file as it is now; undo brings back what is here</source>
        <translation>采用文件现在的内容；撤销可恢复此处的内容</translation>
    </message>
    <message>
        <source>Recovered from a draft, and not saved: %1</source>
        <translation>从草稿恢复且尚未保存：%1</translation>
    </message>
</context>
<context>
    <name>Events</name>
    <message>
        <source>information</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>FilterLine</name>
    <message>
        <source>not in any run</source>
        <translation>所有运行都没有</translation>
    </message>
    <message>
        <source>pinned, archived or alive</source>
        <translation>pinned、archived 或 alive</translation>
    </message>
    <message>
        <source>one that acts in the run</source>
        <translation>在运行中生效的算法</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>lowest</source>
        <translation>最低</translation>
    </message>
    <message>
        <source>highest</source>
        <translation>最高</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n 个值</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeyHelp</name>
    <message>
        <source>where ranks compute: cpu, cuda (each rank on its own GPU, as far as they go) or cuda:1 (all on that one), npu (each rank on its own NPU, as far as they go) or npu:1 (all on that one), npu-twin (emulated)</source>
        <translation>各 rank 在哪里计算：cpu，cuda（每个 rank 一个 GPU，用完为止）或 cuda:1（全部在该 GPU 上），npu（每个 rank 一个 NPU，用完为止）或 npu:1（全部在该 NPU 上），npu-twin（模拟）</translation>
    </message>
    <message>
        <source>the network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>a built-in network; beside layers only a label</source>
        <translation>内置网络；写了 layers 时只是名称</translation>
    </message>
    <message>
        <source>outputs of the last layer where they are to be more than the data&apos;s classes</source>
        <translation>最后一层的输出数，若要多于数据的类别数</translation>
    </message>
    <message>
        <source>mlp: units of the hidden layers</source>
        <translation>mlp：各隐藏层的单元数</translation>
    </message>
    <message>
        <source>what the weights (or biases) begin with: a name, or a name and its parameter</source>
        <translation>权重（或偏置）的初始值：名称，或名称及其参数</translation>
    </message>
    <message>
        <source>a distribution, or one value for all</source>
        <translation>一种分布，或所有元素同一个值</translation>
    </message>
    <message>
        <source>deviation of the normal kinds, negative slope of he_uniform</source>
        <translation>正态类的标准差，he_uniform 的负斜率</translation>
    </message>
    <message>
        <source>a network of your own: the program that computes it, and its arguments; it runs in the folder of this file</source>
        <translation>您自己的网络：计算它的程序及其参数；在本文件所在的文件夹中运行</translation>
    </message>
    <message>
        <source>the layers, first to last</source>
        <translation>从前到后的各层</translation>
    </message>
    <message>
        <source>resnet18 to resnet152: torchvision: pad, pool and normalise as torchvision&apos;s, for weights trained there or to be used there; mindspore: an odd row or column of padding is below or right</source>
        <translation>resnet18 至 resnet152：torchvision：填充、池化和归一化同 torchvision，用于在那里训练或将在那里使用的权重；mindspore：多出的一行或一列填充在下方或右方</translation>
    </message>
    <message>
        <source>a .ckpt or .safetensors file whose weights the run starts from, taken by name</source>
        <translation>.ckpt 或 .safetensors 文件；运行从其中同名的权重开始</translation>
    </message>
    <message>
        <source>a .ckpt or .safetensors file; relative to this file</source>
        <translation>.ckpt 或 .safetensors 文件；相对于本文件</translation>
    </message>
    <message>
        <source>what tensors get that it lacks or has in another shape: the run is refused, or they are initialized</source>
        <translation>对其中缺少或形状不同的张量：拒绝运行，或将其初始化</translation>
    </message>
    <message>
        <source>the data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>folder of the files, or the file, relative to this file; else the environment&apos;s DATA_PATH</source>
        <translation>文件所在的文件夹或该文件，相对于本文件；否则取环境变量 DATA_PATH</translation>
    </message>
    <message>
        <source>samples a rank and step</source>
        <translation>每个 rank 每步的样本数</translation>
    </message>
    <message>
        <source>ranks share an epoch&apos;s samples out; false: each reads the whole set, shuffled in an order of its own</source>
        <translation>各 rank 分摊一个 epoch 的样本；false：每个 rank 读整个数据集，各有自己的顺序</translation>
    </message>
    <message>
        <source>a new order each epoch</source>
        <translation>每个 epoch 重新排序</translation>
    </message>
    <message>
        <source>leave out the last incomplete step of an epoch; false: it counts by its samples</source>
        <translation>丢弃 epoch 末尾不完整的一步；false：按其样本数计入</translation>
    </message>
    <message>
        <source>the same for evaluation</source>
        <translation>同上，用于评估</translation>
    </message>
    <message>
        <source>inputs are (x/255 - mean) / deviation, of floats (x - mean) / deviation; one value, or one a channel or column; default: usual for the data set, else measured in the training samples</source>
        <translation>输入为 (x/255 - 均值) / 标准差，浮点数为 (x - 均值) / 标准差；一个值，或每个通道、每列一个；默认为该数据集常用的值，否则由训练样本测得</translation>
    </message>
    <message>
        <source>see mean</source>
        <translation>见 mean</translation>
    </message>
    <message>
        <source>height and width that images are brought to</source>
        <translation>图像统一到的高和宽</translation>
    </message>
    <message>
        <source>an image that cannot be decoded ends the run, or is skipped and the record says so: in training the next one takes its place, an evaluation counts the others</source>
        <translation>无法解码的图像使运行结束，或被跳过并记录：训练时由下一张代替，评估只计其余</translation>
    </message>
    <message>
        <source>share of the samples to evaluate on, where the data has no part for it</source>
        <translation>数据没有评估部分时，用于评估的样本比例</translation>
    </message>
    <message>
        <source>draws those samples; of a text the last ones are taken</source>
        <translation>抽取这些样本所用的随机种子；文本取末尾的</translation>
    </message>
    <message>
        <source>where images of 4 dimensions have their channels: last is NHWC</source>
        <translation>4 维图像的通道位置：last 为 NHWC</translation>
    </message>
    <message>
        <source>the column of classes</source>
        <translation>类别所在的列</translation>
    </message>
    <message>
        <source>bytes of a sample; the byte behind them is its class</source>
        <translation>一个样本的字节数；其后的字节是类别</translation>
    </message>
    <message>
        <source>training images are cropped and flipped at random</source>
        <translation>训练图像随机裁剪和翻转</translation>
    </message>
    <message>
        <source>threads a rank that prepare batches ahead; default 1 for files of images, else 0</source>
        <translation>每个 rank 预先准备批的线程数；图像文件默认 1，否则 0</translation>
    </message>
    <message>
        <source>batches prepared ahead of the one in use; default 2 for files of images, else 0</source>
        <translation>在所用的批之前预先准备的批数；图像文件默认 2，否则 0</translation>
    </message>
    <message>
        <source>generated digits where the data is missing</source>
        <translation>缺少数据时用生成的数字</translation>
    </message>
    <message>
        <source>the loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>cross_entropy_smooth: share of the target given to the other classes</source>
        <translation>cross_entropy_smooth：目标中分给其他类别的比例</translation>
    </message>
    <message>
        <source>targets are class numbers; false: distributions</source>
        <translation>目标为类别编号；false：分布</translation>
    </message>
    <message>
        <source>the optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>a rate or a schedule</source>
        <translation>一个学习率，或一个调度</translation>
    </message>
    <message>
        <source>get_lr&apos;s decay</source>
        <translation>get_lr 的衰减</translation>
    </message>
    <message>
        <source>rate at step 0 of the warm-up</source>
        <translation>预热第 0 步的学习率</translation>
    </message>
    <message>
        <source>rate after the last step</source>
        <translation>最后一步之后的学习率</translation>
    </message>
    <message>
        <source>highest rate; the rate itself where mode is constant</source>
        <translation>最高学习率；mode 为 constant 时即学习率</translation>
    </message>
    <message>
        <source>epochs, also broken ones, from lr_init to lr_max</source>
        <translation>从 lr_init 升到 lr_max 的 epoch 数，可为小数</translation>
    </message>
    <message>
        <source>the same as a share of the training&apos;s steps</source>
        <translation>同上，以训练步数的比例计</translation>
    </message>
    <message>
        <source>share of the schedule that the training covers, instead of total_epochs; 0: not given</source>
        <translation>训练占调度的比例，代替 total_epochs；0：未给出</translation>
    </message>
    <message>
        <source>length of the schedule; 0: of the training</source>
        <translation>调度的长度；0：与训练相同</translation>
    </message>
    <message>
        <source>epochs of the schedule that are over already</source>
        <translation>调度中已经过去的 epoch 数</translation>
    </message>
    <message>
        <source>0.9 for momentum and lars, 0 for sgd where it is missing</source>
        <translation>未写时 momentum 和 lars 为 0.9，sgd 为 0</translation>
    </message>
    <message>
        <source>sgd only</source>
        <translation>仅用于 sgd</translation>
    </message>
    <message>
        <source>Nesterov&apos;s momentum; sgd and momentum only</source>
        <translation>Nesterov 动量；仅用于 sgd 和 momentum</translation>
    </message>
    <message>
        <source>adam, adamw, lamb, lion: share of the first moment that a step keeps; 0.9 where it is missing</source>
        <translation>adam、adamw、lamb、lion：每步保留的一阶矩的比例；未写时为 0.9</translation>
    </message>
    <message>
        <source>of the second moment: 0.999 where it is missing; lion: of its momentum, 0.99</source>
        <translation>二阶矩的比例：未写时为 0.999；lion：其动量的比例，0.99</translation>
    </message>
    <message>
        <source>added to the second moment&apos;s root: 1e-8 for adam and adamw, 1e-6 for lamb where it is missing</source>
        <translation>加在二阶矩的平方根上：未写时 adam 和 adamw 为 1e-8，lamb 为 1e-6</translation>
    </message>
    <message>
        <source>lars: of the ratio of a tensor&apos;s norms; 0.001 where it is missing</source>
        <translation>lars：张量范数之比的系数；未写时为 0.001</translation>
    </message>
    <message>
        <source>L2 decay; of adamw and lion apart from the gradient</source>
        <translation>L2 衰减；adamw 和 lion 不经过梯度</translation>
    </message>
    <message>
        <source>a longer gradient, of all ranks and tensors together, is shortened to this norm</source>
        <translation>所有 rank、所有张量合起来的梯度若超过此范数，则缩短到此范数</translation>
    </message>
    <message>
        <source>gradients are divided by it; beside precision.loss_scale it may only name the same scale</source>
        <translation>梯度除以此数；若另写了 precision.loss_scale，两者须相同</translation>
    </message>
    <message>
        <source>take the mean of each row out of the gradients of tensors of two dimensions and more</source>
        <translation>从二维及以上张量的梯度中减去每行的均值</translation>
    </message>
    <message>
        <source>tensors with settings of their own; the first group that matches owns a tensor</source>
        <translation>有各自设置的张量；张量属于第一个匹配的组</translation>
    </message>
    <message>
        <source>which numbers are kept in fewer bits</source>
        <translation>哪些数用较少的位数保存</translation>
    </message>
    <message>
        <source>O0: everything in fp32; O2, O3: images between layers in bf16, with a loss scale on a GPU in fp16, for networks that have images between layers; auto: O2 there on a GPU, and where the processor has instructions for bf16</source>
        <translation>O0：全部用 fp32；O2、O3：对层间为图像的网络，层间图像用 bf16，在 GPU 上设了损失缩放时用 fp16；auto：对这类网络，在 GPU 上以及处理器有 bf16 指令时为 O2</translation>
    </message>
    <message>
        <source>batch norms keep statistics and parameters in fp32: always; false is refused but at O0</source>
        <translation>批归一化的统计量和参数始终保持 fp32；除 O0 外拒绝 false</translation>
    </message>
    <message>
        <source>what the loss is multiplied by during the backward pass; a number is a fixed scale</source>
        <translation>反向传播时损失所乘的数；写数值即固定缩放</translation>
    </message>
    <message>
        <source>fixed; dynamic: shrinks after overflows and grows without; group: one a parameter group</source>
        <translation>fixed：固定；dynamic：溢出后减小，无溢出则增大；group：每个参数组一个</translation>
    </message>
    <message>
        <source>the first one; 128 for fixed, 16777216 for dynamic, 4096 for group where it is missing</source>
        <translation>初始缩放；未写时 fixed 为 128，dynamic 为 16777216，group 为 4096</translation>
    </message>
    <message>
        <source>dynamic: the scale is divided or multiplied by it</source>
        <translation>dynamic：缩放除以或乘以此数</translation>
    </message>
    <message>
        <source>dynamic: steps without an overflow until the scale grows</source>
        <translation>dynamic：连续多少步无溢出后增大缩放</translation>
    </message>
    <message>
        <source>fixed: skip updates that overflow; false: never look</source>
        <translation>fixed：跳过溢出的更新；false：从不检查</translation>
    </message>
    <message>
        <source>the ranks, and what they share and exchange</source>
        <translation>各 rank，以及它们分担和交换什么</translation>
    </message>
    <message>
        <source>ranks on this machine, or so many of the rank table</source>
        <translation>本机的 rank 数，或组网信息文件中的这么多个</translation>
    </message>
    <message>
        <source>rank table of version 1.0, relative to this file</source>
        <translation>1.0 版组网信息文件，相对于本文件</translation>
    </message>
    <message>
        <source>a:4,b:4: hosts and their ranks, in place of a rank table</source>
        <translation>a:4,b:4：主机及其 rank 数，代替组网信息文件</translation>
    </message>
    <message>
        <source>average gradients over ranks; false: sum</source>
        <translation>各 rank 的梯度取平均；false：求和</translation>
    </message>
    <message>
        <source>last tensor of each bucket, in forward order</source>
        <translation>每个桶的最后一个张量，按前向顺序</translation>
    </message>
    <message>
        <source>ids by name of a layer or block: neighbouring layers of equal ids send their gradients together</source>
        <translation>按层或块的名称给出编号：相邻且编号相同的层一起发送梯度</translation>
    </message>
    <message>
        <source>gradients that are sent together, where all_reduce_fusion_config is not given</source>
        <translation>未写 all_reduce_fusion_config 时一起发送的梯度数</translation>
    </message>
    <message>
        <source>start sending during the backward pass</source>
        <translation>在反向传播期间开始发送</translation>
    </message>
    <message>
        <source>hosts: summed in each host&apos;s memory, then between hosts by our own messages; messages: by MPI&apos;s all-reduce</source>
        <translation>hosts：先在每台主机的内存中求和，再由本程序的消息在主机之间求和；messages：用 MPI 的 all-reduce</translation>
    </message>
    <message>
        <source>ranks share optimizer state (level1), gradients (level2) and weights (level3)</source>
        <translation>各 rank 分担优化器状态（level1）、梯度（level2）和权重（level3）</translation>
    </message>
    <message>
        <source>what is cut into shards: optimizer state; gradients too; weights too</source>
        <translation>切分什么：优化器状态；再加梯度；再加权重</translation>
    </message>
    <message>
        <source>ranks that share one copy, a divisor of all ranks; -1: all</source>
        <translation>共享一份副本的 rank 数，须整除总数；-1：全部</translation>
    </message>
    <message>
        <source>kilobytes: smaller tensors stay whole on every rank</source>
        <translation>千字节：更小的张量在每个 rank 上保持完整</translation>
    </message>
    <message>
        <source>how long, and what is evaluated and kept on the way</source>
        <translation>训练多久，途中评估和保存什么</translation>
    </message>
    <message>
        <source>passes over the data; not beside steps</source>
        <translation>遍历数据的次数；不与 steps 同用</translation>
    </message>
    <message>
        <source>one more step: forward passes over an epoch, of which batch norms keep the plain mean</source>
        <translation>多一步：对一个 epoch 做前向，批归一化取其算术平均</translation>
    </message>
    <message>
        <source>updates; not beside epochs; 0 beside refresh_statistics only</source>
        <translation>更新次数；不与 epochs 同用；仅在写了 refresh_statistics 时可为 0</translation>
    </message>
    <message>
        <source>micro-batches that a batch passes through the network in</source>
        <translation>一个批分成多少个微批通过网络</translation>
    </message>
    <message>
        <source>loss and gradient over micro-batches; sum: as MindSpore&apos;s GradAccumulationCell</source>
        <translation>各微批的损失和梯度如何合并；sum：同 MindSpore 的 GradAccumulationCell</translation>
    </message>
    <message>
        <source>0: once an epoch and at the end</source>
        <translation>0：每个 epoch 一次，结束时再一次</translation>
    </message>
    <message>
        <source>printed loss lines</source>
        <translation>打印的损失行</translation>
    </message>
    <message>
        <source>what steps and seconds to target are counted up to; the run goes on to its end</source>
        <translation>计算达到目标的步数和秒数所用的目标；运行仍继续到结束</translation>
    </message>
    <message>
        <source>share of an exponential average of the weights that each update keeps; evaluations judge it</source>
        <translation>每次更新保留的权重指数平均的比例；评估针对该平均</translation>
    </message>
    <message>
        <source>a NaN or infinite loss ends the run as failed</source>
        <translation>损失为 NaN 或无穷时，运行以失败结束</translation>
    </message>
    <message>
        <source>stop: the run fails; restart: it goes on from its last checkpoint; shrink: without lost hosts if need be</source>
        <translation>stop：运行失败；restart：从最后的检查点继续；shrink：必要时去掉失联的主机</translation>
    </message>
    <message>
        <source>shrink: a run that is left with fewer ranks fails</source>
        <translation>shrink：剩余 rank 少于此数时运行失败</translation>
    </message>
    <message>
        <source>restart, shrink: seconds that hosts which do not answer are waited for</source>
        <translation>restart、shrink：等待无应答主机的秒数</translation>
    </message>
    <message>
        <source>weights that a stage keeps on its way for a later stage</source>
        <translation>一个阶段途中为后面的阶段保存的权重</translation>
    </message>
    <message>
        <source>epochs of the stage before the first interval</source>
        <translation>本阶段中第一个间隔之前的 epoch 数</translation>
    </message>
    <message>
        <source>evenly spread over each epoch</source>
        <translation>在每个 epoch 中均匀分布</translation>
    </message>
    <message>
        <source>the newest so many</source>
        <translation>最新的这么多个</translation>
    </message>
    <message>
        <source>instead of first_epoch and per_epoch: keep snapshots, evenly over what follows this share of the stage</source>
        <translation>代替 first_epoch 和 per_epoch：在本阶段的这一比例之后均匀保存 keep 个快照</translation>
    </message>
    <message>
        <source>when a state is kept that the run can be resumed from</source>
        <translation>何时保存可供恢复运行的状态</translation>
    </message>
    <message>
        <source>0: not by steps</source>
        <translation>0：不按步数</translation>
    </message>
    <message>
        <source>steps win where both are set</source>
        <translation>两者都写时以步数为准</translation>
    </message>
    <message>
        <source>the oldest goes first</source>
        <translation>最旧的先删除</translation>
    </message>
    <message>
        <source>without optimizer and data position: cannot be resumed from</source>
        <translation>不含优化器和数据位置：不能由此恢复</translation>
    </message>
    <message>
        <source>one after the last step</source>
        <translation>最后一步之后再保存一个</translation>
    </message>
    <message>
        <source>acceleration algorithms; a dictionary&apos;s sections may be directly in it</source>
        <translation>加速算法；字典的各节也可直接写在其中</translation>
    </message>
    <message>
        <source>this schema, for editors</source>
        <translation>供编辑器使用的本模式</translation>
    </message>
    <message>
        <source>auto: as the level says; manual: the switches below; or all on, all off</source>
        <translation>auto：按级别；manual：按下面的开关；或全开、全关</translation>
    </message>
    <message>
        <source>switch of less_bn; read in mode manual</source>
        <translation>less_bn 的开关；在 manual 模式下读取</translation>
    </message>
    <message>
        <source>switch of grad_freeze; read in mode manual</source>
        <translation>grad_freeze 的开关；在 manual 模式下读取</translation>
    </message>
    <message>
        <source>switch of adasum; read in mode manual</source>
        <translation>adasum 的开关；在 manual 模式下读取</translation>
    </message>
    <message>
        <source>switch of grad_accumulation; read in mode manual</source>
        <translation>grad_accumulation 的开关；在 manual 模式下读取</translation>
    </message>
    <message>
        <source>switch of dim_reduce; read in mode manual</source>
        <translation>dim_reduce 的开关；在 manual 模式下读取</translation>
    </message>
    <message>
        <source>switch of loss_scale_group; read in mode manual</source>
        <translation>loss_scale_group 的开关；在 manual 模式下读取</translation>
    </message>
    <message>
        <source>first tensor of each further group of gradients that are sent together</source>
        <translation>此后每组一起发送的梯度的第一个张量</translation>
    </message>
    <message>
        <source>ranks a server; default: the rank table&apos;s, else all ranks are one server</source>
        <translation>每台服务器的 rank 数；默认取组网信息文件，否则所有 rank 为一台服务器</translation>
    </message>
    <message>
        <source>replace the last dense layer by a normalised one</source>
        <translation>把最后的全连接层换成归一化的</translation>
    </message>
    <message>
        <source>centralise gradients</source>
        <translation>梯度中心化</translation>
    </message>
    <message>
        <source>nested groups of layers</source>
        <translation>嵌套的层组</translation>
    </message>
    <message>
        <source>0: continuous, 1: interval schedule</source>
        <translation>0：连续调度，1：按间隔调度</translation>
    </message>
    <message>
        <source>share of steps that train everything</source>
        <translation>训练全部参数的步的比例</translation>
    </message>
    <message>
        <source>length of the schedule in steps</source>
        <translation>调度的长度，以步计</translation>
    </message>
    <message>
        <source>deltas: after a local optimizer step; gradients: before a common one</source>
        <translation>deltas：在各自的优化器步之后；gradients：在共同的优化器步之前</translation>
    </message>
    <message>
        <source>flat: over all ranks; servers: mean inside a server, Adasum between</source>
        <translation>flat：跨所有 rank；servers：服务器内取平均，服务器之间用 Adasum</translation>
    </message>
    <message>
        <source>how tensors travel; the result is the same</source>
        <translation>张量如何传输；结果相同</translation>
    </message>
    <message>
        <source>batches an update</source>
        <translation>每次更新的批数</translation>
    </message>
    <message>
        <source>factor of the line search</source>
        <translation>线搜索的系数</translation>
    </message>
    <message>
        <source>momentum of the residual</source>
        <translation>残差的动量</translation>
    </message>
    <message>
        <source>weight of the residual step</source>
        <translation>残差步的权重</translation>
    </message>
    <message>
        <source>share of the promised decrease to accept</source>
        <translation>接受所需的预期下降的比例</translation>
    </message>
    <message>
        <source>dimensions that are kept</source>
        <translation>保留的维数</translation>
    </message>
    <message>
        <source>a ready projection (.npy); else it is computed</source>
        <translation>现成的投影（.npy）；否则由程序计算</translation>
    </message>
    <message>
        <source>folder of the past weights</source>
        <translation>历史权重的文件夹</translation>
    </message>
    <message>
        <source>seconds that making the projection may take</source>
        <translation>计算投影最多用的秒数</translation>
    </message>
    <message>
        <source>tries of a line search</source>
        <translation>线搜索的尝试次数</translation>
    </message>
    <message>
        <source>bfgs: quasi-Newton steps with a line search; sgd: momentum in the space, rate by the optimizer&apos;s schedule</source>
        <translation>bfgs：带线搜索的拟牛顿步；sgd：在该空间中用动量，学习率按优化器的调度</translation>
    </message>
    <message>
        <source>share of every weight that a step takes away, times the learning rate</source>
        <translation>每步从每个权重减去的比例，乘以学习率</translation>
    </message>
    <message>
        <source>name of the experiment; the file&apos;s name where it is missing</source>
        <translation>实验的名称；缺少时用文件名</translation>
    </message>
    <message>
        <source>seed of every random stream</source>
        <translation>所有随机流的种子</translation>
    </message>
    <message>
        <source>samples to train and to evaluate on</source>
        <translation>用于训练和评估的样本</translation>
    </message>
    <message>
        <source>idx files</source>
        <translation>idx 文件</translation>
    </message>
    <message>
        <source>generated</source>
        <translation>由程序生成</translation>
    </message>
    <message>
        <source>binary batches</source>
        <translation>二进制批文件</translation>
    </message>
    <message>
        <source>train/CLASS/*.jpg or .png, and validation_preprocess/CLASS/* (or val, validation), or CLASS/*</source>
        <translation>train/CLASS/*.jpg 或 .png，以及 validation_preprocess/CLASS/*（或 val、validation），或 CLASS/*</translation>
    </message>
    <message>
        <source>FILE.npz, or a folder of .npy files: x_train, y_train, x_test and y_test, or x and y</source>
        <translation>FILE.npz，或含 .npy 文件的文件夹：x_train、y_train、x_test 和 y_test，或 x 和 y</translation>
    </message>
    <message>
        <source>FILE.csv, or train.csv and test.csv: numbers, and a column of labels</source>
        <translation>FILE.csv，或 train.csv 和 test.csv：数值及一列标签</translation>
    </message>
    <message>
        <source>the bytes of FILE.txt, or of train.txt and test.txt: the byte behind each window is its class</source>
        <translation>FILE.txt 的字节，或 train.txt 和 test.txt 的字节：每个窗口后面的字节是其类别</translation>
    </message>
    <message>
        <source>the samples of a program of your own (network.program)</source>
        <translation>您自己的程序的样本（network.program）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>names of data sets: help</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>how many to generate; of files: at most this many, 0 for all</source>
        <translation>生成多少个；文件：最多这么多，0 为全部</translation>
    </message>
</context>
<context>
    <name>KeyTitles</name>
    <message>
        <source>Apply to</source>
        <translation>作用于</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集合通信算法</translation>
    </message>
    <message>
        <source>Normalised head</source>
        <translation>归一化输出层</translation>
    </message>
    <message>
        <source>Centralised gradients</source>
        <translation>梯度中心化</translation>
    </message>
    <message>
        <source>Parameter groups</source>
        <translation>参数组数</translation>
    </message>
    <message>
        <source>Kind of schedule</source>
        <translation>计划类型</translation>
    </message>
    <message>
        <source>Share of full steps</source>
        <translation>完整步的比例</translation>
    </message>
    <message>
        <source>Schedule length</source>
        <translation>计划长度</translation>
    </message>
    <message>
        <source>Batches an update</source>
        <translation>每次更新的批数</translation>
    </message>
    <message>
        <source>Line search factor</source>
        <translation>线搜索系数</translation>
    </message>
    <message>
        <source>Residual momentum</source>
        <translation>残差动量</translation>
    </message>
    <message>
        <source>Residual weight</source>
        <translation>残差权重</translation>
    </message>
    <message>
        <source>Sufficient decrease (Armijo)</source>
        <translation>充分下降（Armijo）</translation>
    </message>
    <message>
        <source>Components</source>
        <translation>主成分数</translation>
    </message>
    <message>
        <source>Ready projection</source>
        <translation>现成的投影</translation>
    </message>
    <message>
        <source>Folder of weights</source>
        <translation>权重文件夹</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时限</translation>
    </message>
    <message>
        <source>Max line-search iterations</source>
        <translation>线搜索最大迭代次数</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Gradient groups</source>
        <translation>梯度分组</translation>
    </message>
    <message>
        <source>Devices a server</source>
        <translation>每台服务器的卡数</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Ranks a copy</source>
        <translation>每份副本的 rank 数</translation>
    </message>
    <message>
        <source>Threshold, kB</source>
        <translation>阈值，kB</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>First scale</source>
        <translation>初始缩放</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>Growth interval</source>
        <translation>增长间隔</translation>
    </message>
    <message>
        <source>Drop overflowing steps</source>
        <translation>丢弃溢出的步</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批数</translation>
    </message>
    <message>
        <source>Reduction</source>
        <translation>归约方式</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>结构描述</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Conventions</source>
        <translation>约定</translation>
    </message>
    <message>
        <source>Hidden layers</source>
        <translation>隐藏层</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别数</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>各层</translation>
    </message>
    <message>
        <source>Weight initializer</source>
        <translation>权重初始化</translation>
    </message>
    <message>
        <source>Weight initializer parameter</source>
        <translation>权重初始化参数</translation>
    </message>
    <message>
        <source>Bias initializer</source>
        <translation>偏置初始化</translation>
    </message>
    <message>
        <source>Bias initializer parameter</source>
        <translation>偏置初始化参数</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Shard across ranks</source>
        <translation>在各 rank 间分片</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>打乱</translation>
    </message>
    <message>
        <source>Drop last batch</source>
        <translation>丢弃末尾不足的批</translation>
    </message>
    <message>
        <source>Image size</source>
        <translation>图像尺寸</translation>
    </message>
    <message>
        <source>Corrupt images</source>
        <translation>损坏的图像</translation>
    </message>
    <message>
        <source>Augmentation</source>
        <translation>数据增强</translation>
    </message>
    <message>
        <source>Evaluation fraction</source>
        <translation>评估比例</translation>
    </message>
    <message>
        <source>Split seed</source>
        <translation>划分种子</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>通道位置</translation>
    </message>
    <message>
        <source>Label column</source>
        <translation>标签列</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Decoder threads</source>
        <translation>解码线程</translation>
    </message>
    <message>
        <source>Prefetch batches</source>
        <translation>预取批数</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Targets are classes</source>
        <translation>目标为类别</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>学习率计划</translation>
    </message>
    <message>
        <source>Initial LR</source>
        <translation>初始学习率</translation>
    </message>
    <message>
        <source>Final LR</source>
        <translation>最终学习率</translation>
    </message>
    <message>
        <source>Peak LR</source>
        <translation>峰值学习率</translation>
    </message>
    <message>
        <source>Warm-up, epochs</source>
        <translation>预热，轮次</translation>
    </message>
    <message>
        <source>Warm-up fraction</source>
        <translation>预热比例</translation>
    </message>
    <message>
        <source>Decay fraction</source>
        <translation>衰减比例</translation>
    </message>
    <message>
        <source>Schedule, epochs</source>
        <translation>计划，轮次</translation>
    </message>
    <message>
        <source>First epoch</source>
        <translation>第一轮次</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Dampening</source>
        <translation>阻尼</translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation>Nesterov</translation>
    </message>
    <message>
        <source>Gradient divisor</source>
        <translation>梯度除数</translation>
    </message>
    <message>
        <source>Mixed precision</source>
        <translation>混合精度</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>各 rank</translation>
    </message>
    <message>
        <source>Rank table</source>
        <translation>组网信息</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Mean of gradients</source>
        <translation>梯度取均值</translation>
    </message>
    <message>
        <source>Sent together</source>
        <translation>一起发送</translation>
    </message>
    <message>
        <source>Bucket, bytes</source>
        <translation>桶，字节</translation>
    </message>
    <message>
        <source>Overlap with backward</source>
        <translation>与反向重叠</translation>
    </message>
    <message>
        <source>Exchange</source>
        <translation>交换方式</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮次数</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Refresh statistics</source>
        <translation>刷新统计量</translation>
    </message>
    <message>
        <source>Log interval (steps)</source>
        <translation>日志间隔（步）</translation>
    </message>
    <message>
        <source>Evaluation interval (steps)</source>
        <translation>评估间隔（步）</translation>
    </message>
    <message>
        <source>Target accuracy</source>
        <translation>目标准确率</translation>
    </message>
    <message>
        <source>Stop on invalid loss</source>
        <translation>损失无效时停止</translation>
    </message>
    <message>
        <source>After a lost process or host</source>
        <translation>进程或主机丢失后</translation>
    </message>
    <message>
        <source>Fewest ranks</source>
        <translation>最少 rank 数</translation>
    </message>
    <message>
        <source>Wait for hosts (s)</source>
        <translation>等待主机（秒）</translation>
    </message>
    <message>
        <source>Snapshots from epoch</source>
        <translation>从第几轮次开始快照</translation>
    </message>
    <message>
        <source>Snapshots an epoch</source>
        <translation>每轮次快照数</translation>
    </message>
    <message>
        <source>Snapshots after share</source>
        <translation>快照起始比例</translation>
    </message>
    <message>
        <source>Snapshots kept</source>
        <translation>保留快照数</translation>
    </message>
    <message>
        <source>Checkpoint interval (steps)</source>
        <translation>检查点间隔（步）</translation>
    </message>
    <message>
        <source>Checkpoint interval (s)</source>
        <translation>检查点间隔（秒）</translation>
    </message>
    <message>
        <source>Checkpoints kept</source>
        <translation>保留检查点数</translation>
    </message>
    <message>
        <source>Weights only</source>
        <translation>仅权重</translation>
    </message>
    <message>
        <source>Checkpoint at the end</source>
        <translation>结束时保存检查点</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Adasum</source>
        <translation>自适应梯度求和</translation>
    </message>
    <message>
        <source>Less batch norm</source>
        <translation>减少批归一化</translation>
    </message>
    <message>
        <source>Gradient freeze</source>
        <translation>梯度冻结</translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation>梯度累加</translation>
    </message>
    <message>
        <source>Dimension reduction</source>
        <translation>降维训练</translation>
    </message>
    <message>
        <source>Loss scale groups</source>
        <translation>分组损失缩放</translation>
    </message>
    <message>
        <source>Common</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>Optimizer parallel</source>
        <translation>优化器并行</translation>
    </message>
    <message>
        <source>Gradient centralisation</source>
        <translation>梯度中心化</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Sent together, by layer</source>
        <translation>一起发送，按层</translation>
    </message>
    <message>
        <source>Weights from a file</source>
        <translation>来自文件的权重</translation>
    </message>
    <message>
        <source>Missing weights</source>
        <translation>缺失的权重</translation>
    </message>
    <message>
        <source>Batch norms in fp32</source>
        <translation>批归一化保持 fp32</translation>
    </message>
    <message>
        <source>Averaged gradients</source>
        <translation>平均梯度</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Trust coefficient</source>
        <translation>信任系数</translation>
    </message>
    <message>
        <source>Clipped to norm</source>
        <translation>裁剪到的范数</translation>
    </message>
    <message>
        <source>Weight average, decay</source>
        <translation>权重平均的衰减系数</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Boost mode</source>
        <translation>加速模式</translation>
    </message>
    <message>
        <source>Boost level</source>
        <translation>加速级别</translation>
    </message>
    <message>
        <source>per rank</source>
        <translation>每个 rank</translation>
    </message>
    <message>
        <source>Training samples</source>
        <translation>训练样本数</translation>
    </message>
    <message>
        <source>0 = all</source>
        <translation>0 = 全部</translation>
    </message>
    <message>
        <source>Evaluation samples</source>
        <translation>评估样本数</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>0 = training&apos;s</source>
        <translation>0 = 同训练</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>-1 = all</source>
        <translation>-1 = 全部</translation>
    </message>
    <message>
        <source>per batch</source>
        <translation>每批</translation>
    </message>
    <message>
        <source>0 = by epoch</source>
        <translation>0 = 按轮</translation>
    </message>
    <message>
        <source>0 = off</source>
        <translation>0 = 关</translation>
    </message>
    <message>
        <source>Input mean</source>
        <translation>输入均值</translation>
    </message>
    <message>
        <source>Input deviation</source>
        <translation>输入标准差</translation>
    </message>
    <message>
        <source>Fallback data set</source>
        <translation>备用数据集</translation>
    </message>
</context>
<context>
    <name>Layers</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>log scale</source>
        <translation>对数坐标</translation>
    </message>
    <message>
        <source>smoothed 0.85</source>
        <translation>平滑 0.85</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Orthogonality by tensor</source>
        <translation>各张量的正交度</translation>
    </message>
    <message>
        <source>1/%1 parallel</source>
        <translation>1/%1 平行</translation>
    </message>
    <message>
        <source>1 orthogonal</source>
        <translation>1 正交</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>not combined</source>
        <translation>未合并</translation>
    </message>
    <message>
        <source>Freeze timeline</source>
        <translation>冻结时间线</translation>
    </message>
    <message>
        <source>bar = trained, gap = frozen · %1 of steps frozen, %2 of time saved</source>
        <translation>条 = 训练，空 = 冻结 · %1 的步被冻结，节省 %2 的时间</translation>
    </message>
    <message>
        <source>bar = trained, gap = frozen · %1 of steps frozen, no time saved</source>
        <translation>条 = 训练，空 = 冻结 · %1 的步被冻结，没有节省时间</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>trained on %1 of these steps</source>
        <translation>在其中 %1 的步中训练</translation>
    </message>
    <message>
        <source>no step</source>
        <translation>没有步</translation>
    </message>
    <message>
        <source>times that the step was shortened; −1: no step was taken</source>
        <translation>步长缩短的次数；−1：没有走步</translation>
    </message>
    <message>
        <source>share of its squared length</source>
        <translation>占其平方长度的比例</translation>
    </message>
    <message numerus="yes">
        <source>log scale · a cross is one of %n skipped update(s)</source>
        <translation>
            <numerusform>对数坐标 · 每个叉是 %n 次跳过更新中的一次</numerusform>
        </translation>
    </message>
    <message>
        <source>cumulative, by direction of the snapshots · %1 explain %2</source>
        <translation>按快照方向累积 · %1 个解释 %2</translation>
    </message>
    <message>
        <source>orthogonality</source>
        <translation>正交度</translation>
    </message>
    <message>
        <source>freeze timeline</source>
        <translation>冻结时间线</translation>
    </message>
    <message>
        <source>explained variance and line search</source>
        <translation>解释方差与线搜索</translation>
    </message>
    <message>
        <source>loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Not recorded: %1</source>
        <translation>未记录：%1</translation>
    </message>
    <message>
        <source>off by level</source>
        <translation>当前级别未启用</translation>
    </message>
    <message>
        <source>off in the dictionary</source>
        <translation>字典中关闭</translation>
    </message>
    <message>
        <source>mean of up to %1 steps a cell</source>
        <translation>每格最多 %1 步的均值</translation>
    </message>
    <message>
        <source>smoothed loss</source>
        <translation>平滑后的损失</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>1/%1 would be parallel</source>
        <translation>1/%1 为平行</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>从 %1 起</translation>
    </message>
</context>
<context>
    <name>Memory</name>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Boost buffers</source>
        <translation>加速缓冲</translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>All-gather buffers</source>
        <translation>All-gather 缓冲</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>New from</source>
        <translation>新建自</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>启动(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Charts</source>
        <translation>图表(&amp;C)</translation>
    </message>
</context>
<context>
    <name>MessageBox</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Metric</name>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>Test accuracy</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>Orthogonality</source>
        <translation>正交度</translation>
    </message>
    <message>
        <source>mean of all tensors</source>
        <translation>全部张量的均值</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>每秒样本数</translation>
    </message>
    <message>
        <source>ms, mean of ranks</source>
        <translation>ms，各 rank 的均值</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步时</translation>
    </message>
    <message>
        <source>Compute time</source>
        <translation>计算时间</translation>
    </message>
    <message>
        <source>Exposed communication</source>
        <translation>未掩盖的通信</translation>
    </message>
    <message>
        <source>Data stall</source>
        <translation>等待数据</translation>
    </message>
    <message>
        <source>Logging</source>
        <translation>日志记录</translation>
    </message>
    <message>
        <source>Overlapped communication</source>
        <translation>重叠的通信</translation>
    </message>
    <message>
        <source>Optimizer&apos;s step</source>
        <translation>优化器更新</translation>
    </message>
    <message>
        <source>Checkpoint time</source>
        <translation>检查点时间</translation>
    </message>
    <message>
        <source>Snapshot time</source>
        <translation>快照时间</translation>
    </message>
    <message>
        <source>Evaluation time</source>
        <translation>评估时间</translation>
    </message>
    <message>
        <source>Standard error of the test loss</source>
        <translation>测试损失的标准误</translation>
    </message>
    <message>
        <source>Evaluated samples</source>
        <translation>评估样本数</translation>
    </message>
    <message>
        <source>Unreadable samples</source>
        <translation>无法读取的样本数</translation>
    </message>
    <message>
        <source>Replaced samples</source>
        <translation>被替换的样本数</translation>
    </message>
    <message>
        <source>Step policies</source>
        <translation>步策略</translation>
    </message>
    <message>
        <source>Time of a gradient pass</source>
        <translation>一次梯度处理的时间</translation>
    </message>
    <message>
        <source>First trained group</source>
        <translation>首个训练的组</translation>
    </message>
    <message>
        <source>Explained variance</source>
        <translation>解释方差</translation>
    </message>
    <message>
        <source>Accepted line-search exponent</source>
        <translation>线搜索接受的指数</translation>
    </message>
    <message>
        <source>Line-search trials</source>
        <translation>线搜索尝试次数</translation>
    </message>
    <message>
        <source>Slope along the search direction</source>
        <translation>搜索方向上的斜率</translation>
    </message>
    <message>
        <source>Share of the gradient in the subspace</source>
        <translation>梯度在子空间中的占比</translation>
    </message>
    <message>
        <source>Skipped updates</source>
        <translation>跳过的更新数</translation>
    </message>
    <message>
        <source>Loss scale of a group</source>
        <translation>单组损失缩放</translation>
    </message>
    <message>
        <source>Gradient norm before clipping</source>
        <translation>裁剪前的梯度范数</translation>
    </message>
</context>
<context>
    <name>MetricPicker</name>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Algorithms</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
</context>
<context>
    <name>RankTableFix</name>
    <message>
        <source>Remove comments and surplus commas</source>
        <translation>去掉注释和多余的逗号</translation>
    </message>
    <message>
        <source>Keep the last %1</source>
        <translation>保留最后一个 %1</translation>
    </message>
    <message>
        <source>Convert to version %1</source>
        <translation>转换为 %1 版</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Write version %1</source>
        <translation>写入版本 %1</translation>
    </message>
    <message>
        <source>Mark as completed</source>
        <translation>标记为 completed</translation>
    </message>
    <message>
        <source>Set server_count to %1</source>
        <translation>将 server_count 设为 %1</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Add device %1</source>
        <translation>添加卡 %1</translation>
    </message>
    <message>
        <source>Renumber devices 0 to %1</source>
        <translation>将卡重新编号为 0 到 %1</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Use placeholder %1</source>
        <translation>使用占位 %1</translation>
    </message>
    <message>
        <source>Renumber ranks 0 to %1</source>
        <translation>将 rank 重新编号为 0 到 %1</translation>
    </message>
    <message>
        <source>Rename to %1</source>
        <translation>改名为 %1</translation>
    </message>
</context>
<context>
    <name>Ranks</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Memory by rank</source>
        <translation>各 rank 的内存</translation>
    </message>
    <message>
        <source>forecast and highest measured</source>
        <translation>预测值与实测的最高值</translation>
    </message>
    <message>
        <source>forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Exposed communication</source>
        <translation>未掩盖的通信</translation>
    </message>
    <message>
        <source>Data stall</source>
        <translation>等待数据</translation>
    </message>
    <message>
        <source>Logging</source>
        <translation>日志记录</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1: %2 a step</source>
        <translation>%1：每步 %2</translation>
    </message>
    <message>
        <source>A click shows its log</source>
        <translation>点击查看其日志</translation>
    </message>
    <message>
        <source>slow compute</source>
        <translation>计算慢</translation>
    </message>
    <message>
        <source>data stall</source>
        <translation>等待数据</translation>
    </message>
    <message>
        <source>slow logging</source>
        <translation>日志记录慢</translation>
    </message>
    <message>
        <source>Step time by rank</source>
        <translation>各 rank 的步时</translation>
    </message>
    <message>
        <source>mean of steps %1 to %2</source>
        <translation>第 %1 到 %2 步的均值</translation>
    </message>
    <message>
        <source>Slowest rank</source>
        <translation>最慢的 rank</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Overlapped communication</source>
        <translation>重叠的通信</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Logging overhead</source>
        <translation>日志记录开销</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>slow optimizer</source>
        <translation>优化器慢</translation>
    </message>
    <message>
        <source>Checkpoint time</source>
        <translation>检查点时间</translation>
    </message>
    <message>
        <source>Evaluation time</source>
        <translation>评估时间</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Memory by rank without data</source>
        <translation>各 rank 内存（不含数据）</translation>
    </message>
    <message>
        <source>none stands out</source>
        <translation>无明显慢者</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 takes %2 of a step.&lt;/b&gt;</source>
        <translation>&lt;b&gt;%1占每步的 %2。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 takes %2 of a step&lt;/b&gt;, %3 %4.</source>
        <translation>&lt;b&gt;%1占每步的 %2&lt;/b&gt;，%3占 %4。</translation>
    </message>
    <message>
        <source>Straggler index of work</source>
        <translation>工作量的掉队指数</translation>
    </message>
</context>
<context>
    <name>RemoteWatch</name>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>catching up</source>
        <translation>正在同步</translation>
    </message>
    <message>
        <source>up to date</source>
        <translation>已同步</translation>
    </message>
    <message>
        <source>offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>offline since %1</source>
        <translation>自 %1 起离线</translation>
    </message>
</context>
<context>
    <name>RunActions</name>
    <message>
        <source>Pin as baseline</source>
        <translation>设为基线</translation>
    </message>
    <message>
        <source>Delete permanently</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>A copy of a run of %1, which is changed there</source>
        <translation>这是 %1 上运行的副本，只能在那里更改</translation>
    </message>
    <message>
        <source>A run that is ticked goes on</source>
        <translation>所勾选的运行中有正在进行的</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n run(s) with their checkpoints and logs? This frees %1 and cannot be undone.</source>
        <translation>
            <numerusform>删除 %n 次运行及其检查点和日志？将释放 %1，且无法撤销。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunColumn</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动批次</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>尝试次数</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Algorithms</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Peak learning rate</source>
        <translation>峰值学习率</translation>
    </message>
    <message>
        <source>LR</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>学习率策略</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Batch of a rank</source>
        <translation>每 rank 批大小</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Samples of a step</source>
        <translation>每步样本数</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>全局批大小</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Rank 数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Planned steps</source>
        <translation>计划步数</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>计划步数</translation>
    </message>
    <message>
        <source>Target accuracy</source>
        <translation>目标准确率</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Best test accuracy</source>
        <translation>最高测试准确率</translation>
    </message>
    <message>
        <source>Best accuracy</source>
        <translation>最高准确率</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>Training loss, mean of the last 20 steps</source>
        <translation>训练损失（最后 20 步均值）</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Lowest training loss of a step</source>
        <translation>单步最低训练损失</translation>
    </message>
    <message>
        <source>Lowest loss</source>
        <translation>最低损失</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Training time</source>
        <translation>训练时间</translation>
    </message>
    <message>
        <source>Time to target</source>
        <translation>达到目标用时</translation>
    </message>
    <message>
        <source>To target</source>
        <translation>达标用时</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Memory of a rank</source>
        <translation>单 rank 内存</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Duration, first start to end</source>
        <translation>时长（首次启动至结束）</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Final test accuracy</source>
        <translation>最终测试准确率</translation>
    </message>
    <message>
        <source>Median step time</source>
        <translation>单步时间（中位数）</translation>
    </message>
</context>
<context>
    <name>RunGlance</name>
    <message>
        <source>It has no checkpoint: resumed, it begins again.</source>
        <translation>没有检查点：恢复后将从头开始。</translation>
    </message>
    <message>
        <source>The checkpoint of step %1 is complete.</source>
        <translation>第 %1 步的检查点完整。</translation>
    </message>
    <message>
        <source>The loss is %1 from step %2 on.</source>
        <translation>从第 %2 步起损失为 %1。</translation>
    </message>
    <message>
        <source>Step %1 of %2.</source>
        <translation>第 %1 步，共 %2 步。</translation>
    </message>
    <message>
        <source>%1 left.</source>
        <translation>剩余 %1。</translation>
    </message>
    <message>
        <source>Nothing was evaluated.</source>
        <translation>未做评估。</translation>
    </message>
    <message>
        <source>Training loss %1, and nothing was evaluated.</source>
        <translation>训练损失 %1，未做评估。</translation>
    </message>
    <message>
        <source>No cause was recorded.</source>
        <translation>未记录原因。</translation>
    </message>
    <message>
        <source>Somebody stopped it.</source>
        <translation>被人为停止。</translation>
    </message>
    <message>
        <source>It waits for its turn.</source>
        <translation>正在排队。</translation>
    </message>
    <message>
        <source>Its ranks are being started.</source>
        <translation>正在启动各 rank。</translation>
    </message>
    <message>
        <source>Accuracy %1 % at step %2</source>
        <translation>第 %2 步准确率 %1 %</translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>Preempted</source>
        <translation>被抢占</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>启动中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>停止中</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>失联</translation>
    </message>
</context>
<context>
    <name>RunTable</name>
    <message>
        <source>Launch %1 · %2</source>
        <translation>启动于 %1 · %2</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <comment>date format</comment>
        <translation>M月d日 HH:mm</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>never</source>
        <translation>未达到</translation>
    </message>
</context>
<context>
    <name>RunTree</name>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StudyTexts</name>
    <message>
        <source>all runs</source>
        <translation>全部运行</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 个百分点</translation>
    </message>
    <message>
        <source>better</source>
        <translation>更好</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>更差</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>not shown</source>
        <translation>未显示差异</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>不可比</translation>
    </message>
    <message>
        <source>invalid</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>reached the target</source>
        <translation>达到目标</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>never reached it</source>
        <translation>从未达到</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Ended early</source>
        <translation>提前结束</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::Actions</name>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Open experiment…</source>
        <translation>打开实验…</translation>
    </message>
    <message>
        <source>Open rank table…</source>
        <translation>打开组网信息文件…</translation>
    </message>
    <message>
        <source>Open store…</source>
        <translation>打开运行库…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Run the example</source>
        <translation>运行示例</translation>
    </message>
    <message>
        <source>Stop after this step</source>
        <translation>本步之后停止</translation>
    </message>
    <message>
        <source>Stop after the next checkpoint</source>
        <translation>下个检查点之后停止</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>立即停止</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Save report…</source>
        <translation>保存报告…</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>输入命令</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>下一个问题</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>上一个问题</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>System theme</source>
        <translation>系统主题</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>System language</source>
        <translation>系统语言</translation>
    </message>
    <message>
        <source>About Slipstream</source>
        <translation>关于 Slipstream</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Desktop notices</source>
        <translation>桌面通知</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>首选项…</translation>
    </message>
    <message>
        <source>Algorithms</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Import runs…</source>
        <translation>导入运行…</translation>
    </message>
    <message>
        <source>Import the runs of a folder…</source>
        <translation>导入文件夹中的运行…</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::AddMachineDialog</name>
    <message>
        <source>Submit runs to Slurm</source>
        <translation>将运行提交给 Slurm</translation>
    </message>
    <message>
        <source>Add a machine</source>
        <translation>添加机器</translation>
    </message>
    <message>
        <source>Runs are launched and watched there by ssh. It needs slipstream, and a log-in that asks nothing.</source>
        <translation>通过 ssh 在该机器上启动和查看运行。该机器需装有 slipstream，且登录时无需输入任何内容。</translation>
    </message>
    <message>
        <source>lab</source>
        <translation>lab</translation>
    </message>
    <message>
        <source>user@host</source>
        <translation>user@host</translation>
    </message>
    <message>
        <source>the one that slipstream takes there by itself</source>
        <translation>slipstream 在那里的默认文件夹</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Folder of the store there</source>
        <translation>那里的运行库文件夹</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::AlertBanner</name>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Runs that ended early</source>
        <translation>提前结束的运行</translation>
    </message>
    <message>
        <source>Show run</source>
        <translation>查看运行</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::AxisRange</name>
    <message>
        <source>to</source>
        <comment>a range</comment>
        <translation>至</translation>
    </message>
    <message>
        <source>Lower end of %1</source>
        <translation>%1 轴下限</translation>
    </message>
    <message>
        <source>Upper end of %1</source>
        <translation>%1 轴上限</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Write two numbers, the lower one first, or none</source>
        <translation>请填写两个数，小的在前；或都留空</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::BoostLevelRow</name>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手动</translation>
    </message>
    <message>
        <source>All on</source>
        <translation>全部开启</translation>
    </message>
    <message>
        <source>All off</source>
        <translation>全部关闭</translation>
    </message>
    <message>
        <source>O0 switches every algorithm off.</source>
        <translation>O0 关闭所有算法。</translation>
    </message>
    <message>
        <source>Every algorithm that can act is on.</source>
        <translation>所有能起作用的算法都已开启。</translation>
    </message>
    <message>
        <source>Every algorithm is off.</source>
        <translation>所有算法都已关闭。</translation>
    </message>
    <message>
        <source>Manual: the switches override level O1.</source>
        <translation>手动：开关优先于级别 O1。</translation>
    </message>
    <message>
        <source>Manual: the switches override level O2.</source>
        <translation>手动：开关优先于级别 O2。</translation>
    </message>
    <message>
        <source>O1 turns on less batch norm and gradient freeze.</source>
        <translation>O1 开启减少批归一化和梯度冻结。</translation>
    </message>
    <message>
        <source>O2 turns on Adasum, less batch norm and gradient freeze.</source>
        <translation>O2 开启自适应梯度求和、减少批归一化和梯度冻结。</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Level O0 switches every algorithm off</source>
        <translation>级别 O0 关闭所有算法</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::BoostPage</name>
    <message>
        <source>Boost</source>
        <translation>加速</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::BoostSection</name>
    <message>
        <source>About %1 (F1)</source>
        <translation>关于 %1 (F1)</translation>
    </message>
    <message>
        <source>Settings of %1</source>
        <translation>%1 的设置</translation>
    </message>
    <message>
        <source>Switch %1 on</source>
        <translation>开启 %1</translation>
    </message>
    <message>
        <source>Switch %1 off</source>
        <translation>关闭 %1</translation>
    </message>
    <message>
        <source>Hide the settings</source>
        <translation>隐藏设置</translation>
    </message>
    <message>
        <source>Show the settings</source>
        <translation>显示设置</translation>
    </message>
    <message>
        <source>Level O0 switches every algorithm off</source>
        <translation>级别 O0 关闭所有算法</translation>
    </message>
    <message>
        <source>level %1</source>
        <translation>级别 %1</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off by level</source>
        <translation>当前级别未启用</translation>
    </message>
    <message>
        <source>off: see below</source>
        <translation>关：见下</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>defaults</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>off by mode</source>
        <translation>因模式关闭</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::BottomPanel</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Close the panel</source>
        <translation>收起面板</translation>
    </message>
    <message>
        <source>Open the panel</source>
        <translation>展开面板</translation>
    </message>
    <message>
        <source>F8 goes to the next</source>
        <translation>F8 转到下一个</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::BulkBar</name>
    <message>
        <source>Tag…</source>
        <translation>标签…</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>What is done to the ticked runs</source>
        <translation>对所勾选运行的操作</translation>
    </message>
    <message>
        <source>Tags to add, a comma between</source>
        <translation>要添加的标签，以逗号分隔</translation>
    </message>
    <message>
        <source>Take all ticks away</source>
        <translation>取消全部勾选</translation>
    </message>
    <message numerus="yes">
        <source>%n ticked</source>
        <translation>
            <numerusform>已勾选 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1 个</translation>
    </message>
    <message>
        <source>Tick two runs or more</source>
        <translation>请勾选两个或更多运行</translation>
    </message>
    <message>
        <source>At most %1 runs have a line of their own</source>
        <translation>最多 %1 个运行有各自的曲线</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>取消归档</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Tick one run: there is one baseline</source>
        <translation>请只勾选一个运行：基准只有一个</translation>
    </message>
    <message>
        <source>differences underlined</source>
        <translation>差异加下划线</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ChartControls</name>
    <message>
        <source>Raw</source>
        <comment>line</comment>
        <translation>原始</translation>
    </message>
    <message>
        <source>Bands</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Raw line</source>
        <translation>原始曲线</translation>
    </message>
    <message>
        <source>Log y</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>Seed bands</source>
        <translation>种子范围</translation>
    </message>
    <message>
        <source>Add chart</source>
        <translation>添加图表</translation>
    </message>
    <message>
        <source>Reset zoom</source>
        <translation>重置缩放</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation>墙上时间</translation>
    </message>
    <message>
        <source>Relative time</source>
        <translation>相对时间</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Runs that differ in their seed alone become one curve with a band from the lowest to the highest</source>
        <translation>仅种子不同的运行合为一条曲线，带从最低到最高</translation>
    </message>
    <message>
        <source>Nothing is smoothed: the line is the raw one</source>
        <translation>没有平滑：曲线即原始曲线</translation>
    </message>
    <message>
        <source>All of the run is shown</source>
        <translation>已显示整个运行</translation>
    </message>
    <message>
        <source>These runs have measured nothing else</source>
        <translation>这些运行没有测量其他指标</translation>
    </message>
    <message>
        <source>Too few samples to smooth: every one of them is drawn</source>
        <translation>样本太少，无需平滑：每个样本都已画出</translation>
    </message>
    <message>
        <source>Chart</source>
        <comment>button that adds one</comment>
        <translation>图表</translation>
    </message>
    <message>
        <source>Reset</source>
        <comment>the zoom</comment>
        <translation>重置</translation>
    </message>
    <message>
        <source>Seeds ran at different hours: bands are drawn over time since the start</source>
        <translation>各种子的运行时刻不同：区间带按开始后的时间绘制</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>The list of curves beside the chart</source>
        <translation>图表旁的曲线列表</translation>
    </message>
    <message>
        <source>Charts and their places, kept for %1. A title is dragged to move a chart, an edge to resize it; a double click enlarges it.</source>
        <translation>为 %1 保存的图表及其位置。拖动标题可移动图表，拖动边缘可调整大小，双击可放大。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ChartHandles</name>
    <message>
        <source>Axes and data of %1</source>
        <translation>%1 的坐标轴与数据</translation>
    </message>
    <message>
        <source>Enlarge %1</source>
        <translation>放大 %1</translation>
    </message>
    <message>
        <source>Back to all charts</source>
        <translation>返回全部图表</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ChartSettings</name>
    <message>
        <source>Axes and data of %1</source>
        <translation>%1 的坐标轴与数据</translation>
    </message>
    <message>
        <source>Log y</source>
        <translation>y 轴取对数</translation>
    </message>
    <message>
        <source>Its values do not span powers of ten, or may be negative</source>
        <translation>其数值不跨越多个数量级，或可能为负</translation>
    </message>
    <message>
        <source>Log x, all charts</source>
        <translation>x 轴取对数（所有图表）</translation>
    </message>
    <message>
        <source>Of all charts of the page</source>
        <translation>适用于本页所有图表</translation>
    </message>
    <message>
        <source>Reach the farthest values</source>
        <translation>显示最远的数值</translation>
    </message>
    <message>
        <source>Else few values far from all others are marked at the edge</source>
        <translation>否则少数远离其他的数值只在边缘标出</translation>
    </message>
    <message>
        <source>Copy visible data as CSV</source>
        <translation>复制可见数据（CSV）</translation>
    </message>
    <message>
        <source>Save image of the chart…</source>
        <translation>保存图表图片…</translation>
    </message>
    <message>
        <source>Remove chart</source>
        <translation>移除图表</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ChartsPage</name>
    <message>
        <source>No run is chosen</source>
        <translation>没有选择运行</translation>
    </message>
    <message>
        <source>Choose runs on the left: their curves are drawn here.</source>
        <translation>请在左侧选择运行，曲线将画在这里。</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Go to the start page</source>
        <translation>转到起始页</translation>
    </message>
    <message>
        <source>Next x axis</source>
        <translation>下一种横轴</translation>
    </message>
    <message>
        <source>Logarithmic y axis</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>Logarithmic x axis</source>
        <translation>对数横轴</translation>
    </message>
    <message>
        <source>Smoothing on or off</source>
        <translation>打开或关闭平滑</translation>
    </message>
    <message>
        <source>Reset zoom</source>
        <translation>重置缩放</translation>
    </message>
    <message>
        <source>Pin the cursor</source>
        <translation>固定光标</translation>
    </message>
    <message>
        <source>Copy visible data as CSV</source>
        <translation>将可见数据复制为 CSV</translation>
    </message>
    <message>
        <source>Save image of the chart…</source>
        <translation>保存图表图像…</translation>
    </message>
    <message>
        <source>The cursor is free again</source>
        <translation>光标已解除固定</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) copied</source>
        <translation>
            <numerusform>已复制 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Save image</source>
        <translation>保存图像</translation>
    </message>
    <message>
        <source>Images (*.svg *.png *.pdf)</source>
        <translation>图像 (*.svg *.png *.pdf)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Remove chart</source>
        <translation>移除图表</translation>
    </message>
    <message>
        <source>%1 was not measured in the runs that are shown</source>
        <translation>所显示的运行没有测量 %1</translation>
    </message>
    <message>
        <source>Enlarge the chart, or show all again</source>
        <translation>放大图表，或返回全部图表</translation>
    </message>
    <message>
        <source>Back to all charts</source>
        <translation>返回全部图表</translation>
    </message>
    <message>
        <source>Enlarge</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Moving “%1” · Esc cancels</source>
        <translation>正在移动“%1”，按 Esc 取消</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Resize %1</source>
        <translation>调整 %1 的大小</translation>
    </message>
    <message>
        <source>Move the chart forward</source>
        <translation>图表前移</translation>
    </message>
    <message>
        <source>Move the chart back</source>
        <translation>图表后移</translation>
    </message>
    <message>
        <source>Make the chart narrower</source>
        <translation>图表变窄</translation>
    </message>
    <message>
        <source>Make the chart wider</source>
        <translation>图表变宽</translation>
    </message>
    <message>
        <source>Make the chart lower</source>
        <translation>图表变矮</translation>
    </message>
    <message>
        <source>Make the chart higher</source>
        <translation>图表变高</translation>
    </message>
    <message>
        <source>Axes of %1</source>
        <translation>%1 的坐标轴</translation>
    </message>
    <message>
        <source>Usual layout</source>
        <translation>默认布局</translation>
    </message>
    <message>
        <source>As in %1</source>
        <translation>与 %1 相同</translation>
    </message>
    <message>
        <source>Layout of %1</source>
        <translation>%1 的布局</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>平滑值</translation>
    </message>
    <message>
        <source>raw</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>More than %1 values: zoom in, or save them to a file by slipstream metrics</source>
        <translation>超过 %1 个值：请放大，或用 slipstream metrics 存为文件</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最后</translation>
    </message>
    <message>
        <source>group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CheckpointModel</name>
    <message>
        <source>complete</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>snapshot</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>%1 %, loss %2</source>
        <translation>%1 %，损失 %2</translation>
    </message>
    <message>
        <source>What nothing else of the run shares: deleting frees it</source>
        <translation>运行中没有其他内容共享的部分：删除即可释放</translation>
    </message>
    <message>
        <source>What was not in the store when it was kept</source>
        <translation>保存时运行库中尚没有的部分</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Exclusive</source>
        <translation>独占</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Accuracy in the run, %</source>
        <translation>运行中的准确率，%</translation>
    </message>
    <message>
        <source>Evaluated</source>
        <translation>评估结果</translation>
    </message>
    <message>
        <source>last</source>
        <comment>of the checkpoints</comment>
        <translation>最后</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>尚未</translation>
    </message>
    <message>
        <source>best kept</source>
        <comment>of the accuracies beside checkpoints</comment>
        <translation>保留中的最佳</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CheckpointsPage</name>
    <message>
        <source>No run is chosen</source>
        <translation>没有选择运行</translation>
    </message>
    <message>
        <source>Choose a run on the left: its checkpoints are listed here.</source>
        <translation>请在左侧选择一次运行，其检查点将列在这里。</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Show the experiment</source>
        <translation>显示实验</translation>
    </message>
    <message>
        <source>Resume from checkpoint</source>
        <translation>从检查点恢复</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Snapshots are deleted with the run</source>
        <translation>快照随运行一起删除</translation>
    </message>
    <message>
        <source>This run has no checkpoint</source>
        <translation>这次运行没有检查点</translation>
    </message>
    <message>
        <source>The experiment says how often one is kept: train.checkpoint.</source>
        <translation>保存的频率写在实验中：train.checkpoint。</translation>
    </message>
    <message>
        <source>No line is chosen</source>
        <translation>没有选择任何行</translation>
    </message>
    <message>
        <source>It holds weights alone: nothing can be resumed from it</source>
        <translation>其中只有权重：不能由此继续</translation>
    </message>
    <message>
        <source>The run is alive</source>
        <translation>运行仍在进行</translation>
    </message>
    <message numerus="yes">
        <source>Resume from step %1? %n later checkpoint(s) will be discarded.</source>
        <translation>
            <numerusform>从第 %1 步恢复？之后的 %n 个检查点将被丢弃。</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>being evaluated</source>
        <translation>正在评估</translation>
    </message>
    <message>
        <source>could not be evaluated</source>
        <translation>无法评估</translation>
    </message>
    <message>
        <source>safetensors files (*.safetensors)</source>
        <translation>safetensors 文件 (*.safetensors)</translation>
    </message>
    <message>
        <source>Weights exported: %1</source>
        <translation>权重已导出：%1</translation>
    </message>
    <message>
        <source>Delete the checkpoint of step %1? This frees %2 and cannot be undone.</source>
        <translation>删除第 %1 步的检查点？将释放 %2，且无法撤销。</translation>
    </message>
    <message>
        <source>Delete the checkpoint of step %1? This cannot be undone.</source>
        <translation>删除第 %1 步的检查点？此操作无法撤销。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>The store cannot be read</source>
        <translation>运行库无法读取</translation>
    </message>
    <message>
        <source>Export weights…</source>
        <translation>导出权重…</translation>
    </message>
    <message>
        <source>Export weights</source>
        <translation>导出权重</translation>
    </message>
    <message>
        <source>MindSpore checkpoints (*.ckpt)</source>
        <translation>MindSpore 检查点 (*.ckpt)</translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoint(s)</source>
        <translation>
            <numerusform>%n 个检查点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n snapshot(s) for later stages</source>
        <translation>
            <numerusform>%n 个快照供后续阶段使用</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 total</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>%1 deduplicated</source>
        <translation>去重 %1</translation>
    </message>
    <message>
        <source>Nothing to resume: the run ends with this step</source>
        <translation>无可恢复：运行到此步结束</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ClosingNotice</name>
    <message>
        <source>Something is being written</source>
        <translation>正在写入文件</translation>
    </message>
    <message>
        <source>A file is being written. The window closes as soon as it is whole.</source>
        <translation>正在写入文件。写完后窗口会立即关闭。</translation>
    </message>
    <message>
        <source>Keep the window open</source>
        <translation>保持窗口打开</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ColumnChoice</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>表格的列</translation>
    </message>
    <message>
        <source>Columns %1</source>
        <translation>列 %1</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>有差异的设置</translation>
    </message>
    <message>
        <source>The usual ones</source>
        <translation>默认列</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CommandBox</name>
    <message>
        <source>Type a command, a run or a metric</source>
        <translation>输入命令、运行或指标</translation>
    </message>
    <message>
        <source>Command box</source>
        <translation>命令框</translation>
    </message>
    <message>
        <source>Commands that fit</source>
        <translation>匹配的命令</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Command, run or metric</source>
        <translation>命令、运行或指标</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CommandList</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CompareHeader</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Second</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Copy the tables as CSV</source>
        <translation>将表格复制为 CSV</translation>
    </message>
    <message>
        <source>Save report…</source>
        <translation>保存报告…</translation>
    </message>
    <message>
        <source>baseline: %1</source>
        <translation>基线：%1</translation>
    </message>
    <message>
        <source>The pinned run, else the one that was chosen first</source>
        <translation>固定的运行，否则为最先选择的运行</translation>
    </message>
    <message numerus="yes">
        <source>%n variants on %1 ranks</source>
        <translation>
            <numerusform>%n 个变体，%1 个 rank</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ComparePage</name>
    <message>
        <source>Parameter that differs</source>
        <translation>不同的参数</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>没有可对比的运行</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Copy the compared tables as CSV</source>
        <translation>将对比表格复制为 CSV</translation>
    </message>
    <message>
        <source>Parameters that differ</source>
        <translation>不同的参数</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Choose two runs or more on the left. The pinned one, or the first, is what the others are held against.</source>
        <translation>请在左侧选择两次或更多运行。固定的运行（否则为第一个）作为对比的基线。</translation>
    </message>
    <message>
        <source>These runs cannot be compared</source>
        <translation>这些运行无法对比</translation>
    </message>
    <message numerus="yes">
        <source>%n equal parameter(s) are shown.</source>
        <translation>
            <numerusform>显示了 %n 个相同的参数。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n equal parameter(s) are hidden.</source>
        <translation>
            <numerusform>隐藏了 %n 个相同的参数。</numerusform>
        </translation>
    </message>
    <message>
        <source>Hide them</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>The target of %1 % was set before launch, in the plan.</source>
        <translation>目标 %1 % 在启动前已写入计划。</translation>
    </message>
    <message>
        <source>The compared tables are in the clipboard as CSV</source>
        <translation>对比表格已以 CSV 复制到剪贴板</translation>
    </message>
    <message numerus="yes">
        <source>%n more parameter(s) differ.</source>
        <translation>
            <numerusform>另有 %n 个参数不同。</numerusform>
        </translation>
    </message>
    <message>
        <source>These runs have the same settings and the same seed</source>
        <translation>这些运行的设置和种子都相同</translation>
    </message>
    <message>
        <source>These runs have the same settings, with different seeds</source>
        <translation>这些运行的设置相同，只有种子不同</translation>
    </message>
    <message>
        <source>Choose a run of another variant as well: there is nothing to compare them with.</source>
        <translation>请再选择另一个变体的运行：目前没有可对比的对象。</translation>
    </message>
    <message>
        <source>Restricted mean: a seed that never reached the target counts with all its steps.</source>
        <translation>受限均值：从未达到目标的种子按其全部步数计入。</translation>
    </message>
    <message>
        <source>Fewer than 3 seeds: no claim is made.</source>
        <translation>少于 3 个种子：不下结论。</translation>
    </message>
    <message numerus="yes">
        <source>%n equal parameter(s) and %1 of these algorithms are hidden.</source>
        <translation>
            <numerusform>已隐藏 %n 个相同的参数和这些算法的 %1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation>
            <numerusform>%n 项设置</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CostPanel</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 个百分点</translation>
    </message>
    <message>
        <source>What so many seeds can show</source>
        <translation>这些种子数能显示什么</translation>
    </message>
    <message>
        <source>Cost forecast</source>
        <translation>开销预测</translation>
    </message>
    <message>
        <source>Time by kind, of the budget</source>
        <translation>各类时间占预算的份额</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>from no earlier run</source>
        <translation>没有以往的运行可依据</translation>
    </message>
    <message numerus="yes">
        <source>from %n earlier run(s)</source>
        <translation>
            <numerusform>依据 %n 次以往的运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Tuning</source>
        <translation>调参</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>≤ %1</source>
        <comment>bytes</comment>
        <translation>≤ %1</translation>
    </message>
    <message>
        <source>Would end</source>
        <translation>结束于</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>times of day</comment>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Would take</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>measured after the first run</source>
        <translation>第一次运行后实测</translation>
    </message>
    <message numerus="yes">
        <source>With %n seed(s) nothing is claimed, whatever comes out.</source>
        <translation>
            <numerusform>%n 个种子时，无论结果如何都不下结论。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s) cannot show differences under %1 in this study:</source>
        <translation>
            <numerusform>在本研究中，%n 个种子显示不出小于 %1 的差异：</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n comparison(s) share the level.</source>
        <translation>
            <numerusform>%n 项对比共用显著性水平。</numerusform>
        </translation>
    </message>
    <message>
        <source>Earlier runs differ between seeds by %1.</source>
        <translation>以往的运行在种子之间相差 %1。</translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s) show differences only that are more than %1 times what seeds differ by;</source>
        <translation>
            <numerusform>%n 个种子只能显示超过种子间差异 %1 倍的差异；</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s), %1 times.</source>
        <translation>
            <numerusform>%n 个种子则为 %1 倍。</numerusform>
        </translation>
    </message>
    <message>
        <source>Use %1 seeds: %2</source>
        <translation>用 %1 个种子：%2</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n earlier run(s) reached the target.</source>
        <translation>
            <numerusform>%n 次以往的运行中有 %1 次达到目标。</numerusform>
        </translation>
    </message>
    <message>
        <source>The budget of %1 is spent before all runs are done.</source>
        <translation>%1 的预算在全部运行完成之前就会用完。</translation>
    </message>
    <message>
        <source>The largest run needs more memory than a study may have of this machine.</source>
        <translation>最大的运行所需内存超过研究在本机可用的内存。</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Change, at least</source>
        <translation>至少的变化</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>%1 × spread</source>
        <translation>离散度的 %1 倍</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::DesktopNotices</name>
    <message>
        <source>A run needs attention</source>
        <translation>有运行需要关注</translation>
    </message>
    <message>
        <source>A run is done</source>
        <translation>有运行已完成</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::DictionaryPanel</name>
    <message>
        <source>Copy the dictionary</source>
        <translation>复制字典</translation>
    </message>
    <message>
        <source>Boost dictionary as text</source>
        <translation>加速字典文本</translation>
    </message>
    <message>
        <source>In sync with form</source>
        <translation>与表单同步</translation>
    </message>
    <message>
        <source>Edit boost_config_dict</source>
        <translation>编辑 boost_config_dict</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::Document</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 个警告</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::DraftNotice</name>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>%1 was recovered from a draft and is not saved.</source>
        <translation>%1 由草稿恢复，尚未保存。</translation>
    </message>
    <message>
        <source>%1 was changed on disk by another program.</source>
        <translation>%1 已被其他程序改动。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::DryRunPanel</name>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Reported</source>
        <translation>回报</translation>
    </message>
    <message>
        <source>Where each rank would go</source>
        <translation>各 rank 的位置</translation>
    </message>
    <message>
        <source>Command that would start the ranks</source>
        <translation>启动各 rank 的命令</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the dry run</source>
        <translation>关闭试运行</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>The ranks are on other machines and are not asked. Nothing was started.</source>
        <translation>各 rank 位于其他机器，未予询问。没有启动任何进程。</translation>
    </message>
    <message numerus="yes">
        <source>Asking %n rank(s)…</source>
        <translation>
            <numerusform>正在询问 %n 个 rank…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>process %1 on %2, %n thread(s)</source>
        <translation>
            <numerusform>%2 上的进程 %1，%n 个线程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s) started, reported and ended. Nothing was trained.</source>
        <translation>
            <numerusform>%n 个 rank 已启动、回报并结束。没有进行训练。</numerusform>
        </translation>
    </message>
    <message>
        <source>Run all ranks on this machine</source>
        <translation>在本机运行所有 rank</translation>
    </message>
    <message>
        <source>Start it again</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>The rank table has changed since the dry run, and has errors now.</source>
        <translation>试运行之后组网信息已更改，且现在有错误。</translation>
    </message>
    <message>
        <source>The rank table has changed since the dry run.</source>
        <translation>试运行之后组网信息已更改。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::EventsModel</name>
    <message>
        <source>launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::EventsView</name>
    <message>
        <source>No run is chosen.</source>
        <translation>没有选择运行。</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Nothing has happened in this run yet.</source>
        <translation>这次运行还没有任何事件。</translation>
    </message>
    <message>
        <source>Checkpoint of step %1 complete, %2</source>
        <translation>第 %1 步的检查点已完成，%2</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ExperimentDocument</name>
    <message>
        <source>Rename to %1</source>
        <translation>改名为 %1</translation>
    </message>
    <message>
        <source>Move to %1</source>
        <translation>移到 %1</translation>
    </message>
    <message>
        <source>Remove the key</source>
        <translation>删除该键</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>改用 %1</translation>
    </message>
    <message>
        <source>Rename keys that are nearly known</source>
        <translation>改正拼写相近的键</translation>
    </message>
    <message>
        <source>Move keys to their sections</source>
        <translation>把键移到所属部分</translation>
    </message>
    <message>
        <source>Remove unknown keys</source>
        <translation>删除未知的键</translation>
    </message>
    <message>
        <source>Use the nearest allowed values</source>
        <translation>改用最接近的允许值</translation>
    </message>
    <message>
        <source>%1 not found: %2 is used</source>
        <translation>未找到 %1，已改用 %2</translation>
    </message>
    <message>
        <source>not found by a variant: %1 is used</source>
        <translation>某个变体未找到，已改用 %1</translation>
    </message>
    <message>
        <source>Set to %1</source>
        <translation>设为 %1</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ExperimentEditing</name>
    <message>
        <source>An experiment is one object in curly brackets.</source>
        <translation>实验是花括号中的一个对象。</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>重置 %1</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ExperimentHeader</name>
    <message>
        <source>All variants (shared settings)</source>
        <translation>所有变体（共享设置）</translation>
    </message>
    <message>
        <source>Variant: %1</source>
        <translation>变体：%1</translation>
    </message>
    <message>
        <source>Stage: %1</source>
        <translation>阶段：%1</translation>
    </message>
    <message>
        <source>Create variants…</source>
        <translation>生成变体…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Whose settings are shown</source>
        <translation>显示谁的设置</translation>
    </message>
    <message>
        <source>Settings of one variant or stage take precedence over shared ones</source>
        <translation>变体或阶段的设置优先于共享的设置</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Modified</source>
        <translation>已修改</translation>
    </message>
    <message>
        <source>Everything is saved</source>
        <translation>没有未保存的更改</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ExperimentPage</name>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>No experiment is open</source>
        <translation>没有打开的实验</translation>
    </message>
    <message>
        <source>Begin with the quick start, or open a file of your own.</source>
        <translation>从快速示例开始，或打开自己的文件。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::FilterLine</name>
    <message>
        <source>Filter the table of runs</source>
        <translation>筛选运行表</translation>
    </message>
    <message>
        <source>Tab completes what is typed</source>
        <translation>按 Tab 补全</translation>
    </message>
    <message>
        <source>Words, state:failed, algo:adasum, tag:paper, seed:1, ranks&gt;4, accuracy&gt;97%, memory&gt;1.2GB, created&gt;=2026-03-14, is:pinned; a minus before what must not hold; quotes around several words</source>
        <translation>词、state:failed、algo:adasum、tag:paper、seed:1、ranks&gt;4、accuracy&gt;97%、memory&gt;1.2GB、created&gt;=2026-03-14、is:pinned；条件前加减号表示不成立；多个词用引号括起</translation>
    </message>
    <message>
        <source>Filter, e.g. accuracy&gt;97% training&lt;10</source>
        <translation>筛选，例如 accuracy&gt;97% training&lt;10</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ForecastPanel</name>
    <message>
        <source>Estimate; replaced by measured values during the run</source>
        <translation>估计值，运行中由实测值替代</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Memory per rank</source>
        <translation>每个 rank 的内存</translation>
    </message>
    <message>
        <source>Memory per rank by kind</source>
        <translation>每个 rank 的内存，按种类</translation>
    </message>
    <message>
        <source>Communication per rank per step</source>
        <translation>每个 rank 每步的通信量</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Frozen steps</source>
        <translation>冻结的步</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>of the last text without mistakes</source>
        <translation>来自最近一次无误的文本</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;</translation>
    </message>
    <message numerus="yes">
        <source>The memory of this machine, shared by %n rank(s)</source>
        <translation>
            <numerusform>本机内存，由 %n 个 rank 分享</numerusform>
        </translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>one rank sends nothing</source>
        <translation>单个 rank 不发送</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 steps/epoch</source>
        <translation>每轮次 %1 步</translation>
    </message>
    <message>
        <source>stage %1, %2</source>
        <translation>阶段 %1，%2</translation>
    </message>
    <message>
        <source>%1 %, backward stops early</source>
        <translation>%1 %，反向提前结束</translation>
    </message>
    <message numerus="yes">
        <source>%n × %1 (deduplicated)</source>
        <translation>
            <numerusform>%n × %1（去重）</numerusform>
        </translation>
    </message>
    <message>
        <source>Hide the details of the forecast</source>
        <translation>收起预测详情</translation>
    </message>
    <message>
        <source>Show the details of the forecast</source>
        <translation>展开预测详情</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>估计值</translation>
    </message>
    <message>
        <source>of an older text</source>
        <translation>对应较早的文本</translation>
    </message>
    <message numerus="yes">
        <source>%n × %1</source>
        <translation>
            <numerusform>%n × %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Size of kept checkpoints</source>
        <translation>保留检查点的大小</translation>
    </message>
    <message>
        <source>Share of the machine&apos;s memory</source>
        <translation>占本机内存</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>of %1 a rank</source>
        <translation>每个 rank 可用 %1</translation>
    </message>
    <message>
        <source>%1 + %2 of data</source>
        <translation>%1 + 数据 %2</translation>
    </message>
    <message>
        <source>Memory per rank without data</source>
        <translation>每个 rank 的内存，不含数据</translation>
    </message>
    <message>
        <source>Estimate; measured values follow</source>
        <translation>估计值；随后为实测值</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::GeneratePanel</name>
    <message>
        <source>Devices</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Device addresses</source>
        <translation>卡地址</translation>
    </message>
    <message>
        <source>optional: one a device, in rank order</source>
        <translation>可选：每张卡一个，按 rank 顺序</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Generate from the devices of one server</source>
        <translation>按一台服务器的卡生成</translation>
    </message>
    <message>
        <source>Generate from a list of hosts</source>
        <translation>按主机列表生成</translation>
    </message>
    <message>
        <source>Generate from a Slurm allocation</source>
        <translation>按 Slurm 分配生成</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::GroupChoice</name>
    <message>
        <source>How the table is grouped</source>
        <translation>表格分组方式</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>不分组</translation>
    </message>
    <message>
        <source>Group: %1</source>
        <translation>分组：%1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::HelpPanel</name>
    <message>
        <source>Close the help (Esc)</source>
        <translation>关闭帮助 (Esc)</translation>
    </message>
    <message>
        <source>There is no page about this.</source>
        <translation>没有关于此项的说明。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::HelpWindow</name>
    <message>
        <source>Algorithms</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>About the algorithm</source>
        <translation>关于该算法</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::KeyRow</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>Go back to the default</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>default: %1</source>
        <translation>默认：%1</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>About %1</source>
        <translation>关于 %1</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Variant name</source>
        <translation>变体名称</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::LabelFields</name>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Tags, with commas between</source>
        <translation>标签，用逗号分隔</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>A copy of a run of %1, which is changed there</source>
        <translation>%1 上运行的副本，只能在那里更改</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::Launcher</name>
    <message>
        <source>%1 queued (position %2)</source>
        <translation>%1 已排队（第 %2 位）</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) still running</source>
        <translation>
            <numerusform>%n 个运行仍在进行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 waits; another window carries on what waits in this store</source>
        <translation>%1 等待中；此运行库的队列由另一个窗口继续执行</translation>
    </message>
    <message>
        <source>%1 could not be started, and is kept among those that wait</source>
        <translation>%1 未能启动，已保留在等待队列中</translation>
    </message>
    <message>
        <source>%1 is next in the queue, and starts</source>
        <translation>轮到队列中的 %1，正在启动</translation>
    </message>
    <message>
        <source>%1 is sent to %2</source>
        <translation>正在将 %1 发送到 %2</translation>
    </message>
    <message>
        <source>%1 was asked to stop the run</source>
        <translation>已请求 %1 停止该运行</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::LayersPage</name>
    <message>
        <source>Choose a run on the left: what the algorithms do to each layer is drawn here.</source>
        <translation>请在左侧选择一次运行，各算法对每一层的作用将画在这里。</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>各层</translation>
    </message>
    <message>
        <source>Show all steps</source>
        <translation>显示全部步</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %2 · %n rank(s)</source>
        <translation>
            <numerusform>%1 · %2 · %n 个 rank</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::LegendModel</name>
    <message>
        <source>%1, hidden</source>
        <translation>%1，已隐藏</translation>
    </message>
    <message>
        <source>%1, %2 %3, last %4</source>
        <translation>%1，%2：%3，最终：%4</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>已隐藏</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最终</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::LegendPanel</name>
    <message>
        <source>Isolate</source>
        <translation>单独显示</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Show the chosen curve alone</source>
        <translation>只显示选中的曲线</translation>
    </message>
    <message>
        <source>Put the legend away; Legend above the charts brings it back</source>
        <translation>收起图例；点图表上方的“图例”可恢复</translation>
    </message>
    <message>
        <source>%1 of %2 shown</source>
        <translation>显示 %1 / %2 条</translation>
    </message>
    <message>
        <source>No curve is hidden</source>
        <translation>没有隐藏的曲线</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::LegendView</name>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Click an eye to hide a curve, a name to show it alone</source>
        <translation>点眼睛隐藏曲线，点名称单独显示</translation>
    </message>
    <message>
        <source>Order of the legend</source>
        <translation>图例的排序</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::LogView</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>全部 rank</translation>
    </message>
    <message>
        <source>Whose log</source>
        <translation>谁的日志</translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>%1: earlier lines are in %2</source>
        <translation>%1：更早的内容在 %2</translation>
    </message>
    <message>
        <source>This run has no logs: it has not started yet, or they were removed.</source>
        <translation>这次运行没有日志：尚未启动，或日志已被删除。</translation>
    </message>
    <message>
        <source>Nothing was printed so far. What happened is in Events.</source>
        <translation>到目前为止没有输出。发生的事情见“事件”。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not in this log</source>
        <translation>日志中没有“%1”</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::LossSketch</name>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1（第 %2 步）</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::MainWindow</name>
    <message>
        <source>Slipstream</source>
        <translation>Slipstream</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>About Slipstream</source>
        <translation>关于 Slipstream</translation>
    </message>
    <message>
        <source>Slipstream %1
Compare acceleration algorithms for distributed training.
GPL-3.0-or-later</source>
        <translation>Slipstream %1
对比分布式训练的加速算法。
GPL-3.0-or-later</translation>
    </message>
    <message>
        <source>Open store</source>
        <translation>打开运行库</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Runs go on</source>
        <translation>运行继续进行</translation>
    </message>
    <message>
        <source>Runs go on without the window. Open it again at any time to see their state.</source>
        <translation>没有窗口运行也会继续。随时可以重新打开查看进展。</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>Not launched: the experiment has mistakes, which are listed here</source>
        <translation>未启动：实验有错误，列在这里</translation>
    </message>
    <message>
        <source>%1 was not opened: %2 stays</source>
        <translation>未打开 %1：保留 %2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Launch on %1</source>
        <translation>在 %1 上启动</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>JSON files (*.json);;All files (*)</source>
        <translation>JSON 文件 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Create or open an experiment first</source>
        <translation>请先新建或打开一个实验</translation>
    </message>
    <message>
        <source>The open experiment has mistakes: Problems lists them</source>
        <translation>打开的实验有错误：见“问题”</translation>
    </message>
    <message>
        <source>%1 is saved</source>
        <translation>%1 已保存</translation>
    </message>
    <message>
        <source>Open a rank table</source>
        <translation>打开 rank 表</translation>
    </message>
    <message>
        <source>Open an experiment</source>
        <translation>打开实验</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>%1 is not this machine</source>
        <translation>%1 不是本机</translation>
    </message>
    <message>
        <source>Launch there</source>
        <translation>在那里启动</translation>
    </message>
    <message>
        <source>Launch on this machine</source>
        <translation>在本机启动</translation>
    </message>
    <message>
        <source>All ranks are on that server. They can be started there by ssh, or all on this machine.</source>
        <translation>所有 rank 都在该服务器上。可以通过 ssh 在那里启动，也可以全部在本机启动。</translation>
    </message>
    <message>
        <source>In a rank table this machine is 127.0.0.1.</source>
        <translation>本机在组网信息中写作 127.0.0.1。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::MatrixModel</name>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <comment>of tuning</comment>
        <translation>
            <numerusform>%n 次试验</numerusform>
        </translation>
    </message>
    <message>
        <source>untuned</source>
        <translation>未调优</translation>
    </message>
    <message>
        <source>reference · %1</source>
        <translation>参照 · %1</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <comment>a variant, and where</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参照</translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s): %1</source>
        <translation>
            <numerusform>%n 个种子：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>none reached it</source>
        <translation>均未达到</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::MatrixView</name>
    <message>
        <source>%1 of %2</source>
        <comment>seeds that reached the target, of all</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Variants by factors</source>
        <translation>变体与因素</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::MetricChart</name>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n 个种子</numerusform>
        </translation>
    </message>
    <message>
        <source>log scale</source>
        <translation>对数坐标</translation>
    </message>
    <message>
        <source>smoothed %1</source>
        <translation>平滑 %1</translation>
    </message>
    <message>
        <source>mean, band from the lowest to the highest seed</source>
        <translation>均值，带从最低到最高的种子</translation>
    </message>
    <message>
        <source>group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>%1 has not been measured yet</source>
        <translation>%1 尚未测量</translation>
    </message>
    <message>
        <source>%1 was not measured in these runs</source>
        <translation>这些运行没有测量 %1</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2：%1</translation>
    </message>
    <message>
        <source>%1: %2 samples, drawn as %3 points, extremes kept</source>
        <translation>%1：%2 个样本，画为 %3 个点，极值保留</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <source>%1: values damaged</source>
        <translation>%1：数值已损坏</translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s) still to be read</source>
        <translation>
            <numerusform>还有 %n 条曲线待读取</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另外 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, at the end: %2</source>
        <translation>%1，末尾：%2</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::MetricPicker</name>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Algorithms</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>No metric is called so</source>
        <translation>没有这样的指标</translation>
    </message>
    <message>
        <source>Add chart</source>
        <translation>添加图表</translation>
    </message>
    <message>
        <source>Search metrics, e.g. loss or conv.*weight</source>
        <translation>搜索指标，例如 loss 或 conv.*weight</translation>
    </message>
    <message>
        <source>Search metrics</source>
        <translation>搜索指标</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::NewExperimentDialog</name>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Rank 数</translation>
    </message>
    <message>
        <source>Choose the folder of the data</source>
        <translation>选择数据文件夹</translation>
    </message>
    <message>
        <source>Folder of the data</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Give it a name.</source>
        <translation>请输入名称。</translation>
    </message>
    <message>
        <source>A name has no “/”.</source>
        <translation>名称不能包含“/”。</translation>
    </message>
    <message>
        <source>Runs of this store have that name already: choose another one.</source>
        <translation>此存储中已有同名实验的运行：请另选名称。</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>%1 training samples · %2 parameters · %3 steps</source>
        <translation>%1 个训练样本 · %2 个参数 · %3 步</translation>
    </message>
    <message numerus="yes">
        <source>All %n rank(s) of %1</source>
        <translation>
            <numerusform>%1 的全部 %n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>To compare algorithms, create variants of the experiment.</source>
        <translation>要比较算法，请为实验创建变体。</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Unit of the length</source>
        <translation>长度的单位</translation>
    </message>
    <message>
        <source>DATA_PATH: %1</source>
        <translation>DATA_PATH：%1</translation>
    </message>
    <message>
        <source>where the files of the data are</source>
        <translation>数据文件所在的文件夹</translation>
    </message>
    <message>
        <source>Choose the folder of the files of %1.</source>
        <translation>请选择 %1 数据文件所在的文件夹。</translation>
    </message>
    <message>
        <source>Algorithms</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>none: generated, without a download</source>
        <translation>无需：由程序生成，不必下载</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::NextTab</name>
    <message>
        <source>no number</source>
        <translation>多少都不够</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Effect to show</source>
        <translation>要显示的效应</translation>
    </message>
    <message>
        <source>Seeds now</source>
        <translation>现有种子</translation>
    </message>
    <message>
        <source>Power now, %</source>
        <translation>现有功效，%</translation>
    </message>
    <message>
        <source>Seeds for 80 %</source>
        <translation>80 % 功效所需种子</translation>
    </message>
    <message>
        <source>%1 (margin)</source>
        <translation>%1（界限）</translation>
    </message>
    <message>
        <source>Add seeds and go on</source>
        <translation>增加种子并继续</translation>
    </message>
    <message>
        <source>More seeds</source>
        <translation>增加种子</translation>
    </message>
    <message>
        <source>Seeds to add</source>
        <translation>要增加的种子数</translation>
    </message>
    <message>
        <source>Nothing has been judged yet: how seeds differ is known once all seeds of a round have ended.</source>
        <translation>尚未作出判断：一轮的全部种子结束后，才知道种子之间相差多少。</translation>
    </message>
    <message>
        <source>The effect to show is the margin where the study names one, else what was seen so far. Levels are those of a look at so many seeds; beyond the %1 that the study was frozen with, those of a new study.</source>
        <translation>要显示的效应是研究给定的界限，未给定时是目前所见的差异。显著性水平是在这些种子数时查看的水平；超过研究冻结时的 %1 个种子，则是新研究的水平。</translation>
    </message>
    <message numerus="yes">
        <source>The study was frozen with %n seed(s) at most: more seeds are a new study that follows it.</source>
        <translation>
            <numerusform>研究冻结时最多 %n 个种子：更多的种子属于后续的新研究。</numerusform>
        </translation>
    </message>
    <message>
        <source>The study has been looked at as often as it may: more seeds are a new study that follows it.</source>
        <translation>研究已达到允许的查看次数：更多的种子属于后续的新研究。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, about %2</source>
        <translation>%1，约 %2</translation>
    </message>
    <message>
        <source>%1; how long is known once each setting has been run</source>
        <translation>%1；每种设置都运行过后才知道时长</translation>
    </message>
    <message>
        <source>What next</source>
        <translation>下一步</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::Notice</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::OpenExperimentRow</name>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已修改</translation>
    </message>
    <message>
        <source>not launched</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>Open experiment: %1, %2</source>
        <translation>打开的实验：%1，%2</translation>
    </message>
    <message>
        <source>%1: the open experiment, which is in Plan</source>
        <translation>%1：打开的实验，在“计划”页</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::PageStack</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ParallelView</name>
    <message>
        <source>Parallel coordinates of the runs</source>
        <translation>运行的平行坐标</translation>
    </message>
    <message>
        <source>%1 of %2 runs are drawn, the first ones of the table</source>
        <translation>共 %2 次运行，绘制了表中前 %1 次</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::PlacementView</name>
    <message>
        <source>Placement: ranks by server and device</source>
        <translation>位置：按服务器和卡排列的 rank</translation>
    </message>
    <message>
        <source>rank %1: device %2 of %3, address %4</source>
        <translation>rank %1：%3 的卡 %2，地址 %4</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::PlanForm</name>
    <message>
        <source>Edit the rank table</source>
        <translation>编辑组网信息</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::PlanJump</name>
    <message>
        <source>Find a setting</source>
        <translation>查找设置</translation>
    </message>
    <message>
        <source>Sections of the experiment</source>
        <translation>实验的各部分</translation>
    </message>
    <message>
        <source>%1, with errors</source>
        <translation>%1，有错误</translation>
    </message>
    <message>
        <source>%1, with warnings</source>
        <translation>%1，有警告</translation>
    </message>
    <message>
        <source>Only changed (%1)</source>
        <translation>仅已更改 (%1)</translation>
    </message>
    <message>
        <source>Shows the settings that differ from their defaults</source>
        <translation>显示与默认值不同的设置</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::PlanPage</name>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Layers of the network</source>
        <translation>网络的各层</translation>
    </message>
    <message>
        <source>What is on and off, and why</source>
        <translation>哪些开启、哪些关闭，以及原因</translation>
    </message>
    <message>
        <source>%1 trained parameters</source>
        <translation>%1 个可训练参数</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>功能</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::PlanSection</name>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s): %1</source>
        <translation>
            <numerusform>%n 项设置：%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation>
            <numerusform>%n 项设置</numerusform>
        </translation>
    </message>
    <message>
        <source>not with %1</source>
        <translation>不适用于 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>Settings of %1 that do not apply or are not set</source>
        <translation>%1 中不适用或未设置的项</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1及另外 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2 training samples</source>
        <translation>%1 · %2 个训练样本</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::PlanText</name>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>Experiment as text</source>
        <translation>实验的文本</translation>
    </message>
    <message>
        <source>Edit the file</source>
        <translation>编辑文件</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>No mistakes in the text</source>
        <translation>文本没有错误</translation>
    </message>
    <message>
        <source>%1; %2: %3</source>
        <translation>%1；%2：%3</translation>
    </message>
    <message>
        <source>Line %1</source>
        <translation>第 %1 行</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::PreferencesDialog</name>
    <message>
        <source>Of the desktop, while the window is in the background</source>
        <translation>窗口在后台时显示桌面通知</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Store at the start</source>
        <translation>启动时的存储</translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>the user&apos;s data folder</source>
        <translation>用户的数据文件夹</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Choose the store&apos;s folder</source>
        <translation>选择存储文件夹</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数字</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::PreviewPanel</name>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Rank table</source>
        <translation>组网信息</translation>
    </message>
    <message>
        <source>Hostfile</source>
        <translation>Hostfile</translation>
    </message>
    <message>
        <source>Rankfile</source>
        <translation>Rankfile</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the preview</source>
        <translation>复制预览</translation>
    </message>
    <message>
        <source>Export is off until the errors are fixed.</source>
        <translation>错误修复之前不能导出。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>位置</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ProblemsModel</name>
    <message>
        <source>Error: %1</source>
        <translation>错误：%1</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>警告：%1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) of %1 fixed: %2. Undo brings them back.</source>
        <translation>
            <numerusform>已修复 %1 的 %n 个问题：%2。撤销即可恢复。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ProblemsView</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Nothing is wrong in the open documents.</source>
        <translation>打开的文档没有问题。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Show the place of this problem</source>
        <translation>转到出问题的位置</translation>
    </message>
    <message>
        <source>Fix all %1 in %2</source>
        <translation>修复 %2 中的全部 %1 项</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Fix all (%1)</source>
        <translation>全部修复 (%1)</translation>
    </message>
    <message>
        <source>%1 (found %2)</source>
        <translation>%1（现为 %2）</translation>
    </message>
    <message>
        <source>Every fix is one undo step. The command line has the same codes: slipstream plan, slipstream rank-table check</source>
        <translation>每次修复为一个撤销步。命令行给出相同的代码：slipstream plan、slipstream rank-table check</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ProfileTab</name>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>The best in, %</source>
        <translation>最优的份额，%</translation>
    </message>
    <message>
        <source>Reached at all within four times the best, %</source>
        <translation>在最优值四倍以内达到的份额，%</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>面积</translation>
    </message>
    <message>
        <source>A profile compares times to a target, and the study names none.</source>
        <translation>性能曲线比较达到目标的时间，而本研究没有目标。</translation>
    </message>
    <message>
        <source>A profile needs the same seeds of every variant: some have not ended, or were deleted.</source>
        <translation>性能曲线需要每个变体有相同的种子：有些尚未结束或已被删除。</translation>
    </message>
    <message>
        <source>Each combination of factors with each seed is a workload. The area is that under the curve, of all there could be up to four times the best.</source>
        <translation>每个因素组合与每个种子是一个工作负载。面积是曲线下方、直至最优值四倍处占全部可能的份额。</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能曲线</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RankTableDocument</name>
    <message>
        <source>%1 (found %2)</source>
        <translation>%1（现为 %2）</translation>
    </message>
    <message>
        <source>server %1</source>
        <translation>服务器 %1</translation>
    </message>
    <message>
        <source>%1, device %2</source>
        <translation>%1，卡 %2</translation>
    </message>
    <message>
        <source>servers %1 and %2</source>
        <translation>服务器 %1 和 %2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>%1, devices %2 and %3</source>
        <translation>%1，卡 %2 和 %3</translation>
    </message>
    <message>
        <source>%1, entry %2</source>
        <translation>%1，第 %2 项</translation>
    </message>
    <message>
        <source>%1, entries %2 and %3</source>
        <translation>%1，第 %2 项和第 %3 项</translation>
    </message>
    <message>
        <source>Remove unknown keys</source>
        <translation>删除未知键</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RankTableListModel</name>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Device address</source>
        <translation>卡地址</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RankTableModel</name>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n 张卡</numerusform>
        </translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>Server and device</source>
        <translation>服务器和卡</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Device address</source>
        <translation>卡地址</translation>
    </message>
    <message>
        <source>Write %1</source>
        <translation>写入 %1</translation>
    </message>
    <message>
        <source>Move devices</source>
        <translation>移动卡</translation>
    </message>
    <message>
        <source>Move servers</source>
        <translation>移动服务器</translation>
    </message>
    <message>
        <source>A placeholder address. Ranks on one machine need none; across machines, enter the card&apos;s real address.</source>
        <translation>占位地址。同一台机器上的 rank 不需要地址；跨机器时请填写卡的真实地址。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RankTablePage</name>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Everything is saved</source>
        <translation>没有未保存的更改</translation>
    </message>
    <message>
        <source>A dry run needs a table without errors</source>
        <translation>试运行需要没有错误的组网信息</translation>
    </message>
    <message>
        <source>The text is not JSON; these are the rows of the last one that was.</source>
        <translation>文本不是 JSON；这里显示最近一次有效的内容。</translation>
    </message>
    <message>
        <source>version 1.0</source>
        <translation>1.0 版</translation>
    </message>
    <message numerus="yes">
        <source>%n server(s)</source>
        <translation>
            <numerusform>%n 台服务器</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n 张卡</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank table</source>
        <translation>组网信息</translation>
    </message>
    <message>
        <source>Generate from local devices…</source>
        <translation>按本机的卡生成…</translation>
    </message>
    <message>
        <source>Generate from a host list…</source>
        <translation>按主机列表生成…</translation>
    </message>
    <message>
        <source>Generate from Slurm variables…</source>
        <translation>按 Slurm 变量生成…</translation>
    </message>
    <message>
        <source>Merge…</source>
        <translation>合并…</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Add device</source>
        <translation>添加卡</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Delete selected rows</source>
        <translation>删除所选行</translation>
    </message>
    <message>
        <source>Renumber ranks</source>
        <translation>重新编号</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Generate from local devices</source>
        <translation>按本机的卡生成</translation>
    </message>
    <message>
        <source>No rank table is open</source>
        <translation>没有打开的组网信息文件</translation>
    </message>
    <message>
        <source>A rank table says which rank runs on which device of which server. Without one all ranks run on this machine.</source>
        <translation>组网信息文件说明哪个 rank 运行在哪台服务器的哪张卡上。没有它时，所有 rank 都在本机运行。</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>树</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Servers and devices</source>
        <translation>服务器和卡</translation>
    </message>
    <message>
        <source>Devices by rank</source>
        <translation>按 rank 排列的卡</translation>
    </message>
    <message>
        <source>JSON files (*.json);;All files (*)</source>
        <translation>JSON 文件 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Merge rank tables</source>
        <translation>合并组网信息文件</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n row(s)</source>
        <translation>
            <numerusform>删除 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>edited just now</source>
        <translation>刚刚编辑</translation>
    </message>
    <message numerus="yes">
        <source>edited %n minute(s) ago</source>
        <translation>
            <numerusform>%n 分钟前编辑</numerusform>
        </translation>
    </message>
    <message>
        <source>kept as draft</source>
        <translation>已存为草稿</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>An experiment needs a table without errors</source>
        <translation>实验需要没有错误的 rank 表</translation>
    </message>
    <message>
        <source>Save the table first: the experiment names its file</source>
        <translation>请先保存 rank 表：实验引用它的文件</translation>
    </message>
    <message>
        <source>New experiment on this table…</source>
        <translation>用此 rank 表新建实验…</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Drag rows to reorder, then renumber.</source>
        <translation>拖动行可调整顺序，然后重新编号。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RanksPage</name>
    <message>
        <source>Whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>By rank</source>
        <translation>按 rank</translation>
    </message>
    <message>
        <source>By exposed communication</source>
        <translation>按未掩盖的通信</translation>
    </message>
    <message>
        <source>Order of the ranks</source>
        <translation>rank 的顺序</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>Choose a run on the left: the time and the memory of its ranks are drawn here.</source>
        <translation>请在左侧选择一次运行，各 rank 的时间和内存将画在这里。</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %2 · %n rank(s)</source>
        <translation>
            <numerusform>%1 · %2 · %n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>All steps are shown</source>
        <translation>已显示全部步</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>The ranks report what they used when the run ends; until then only the forecast is known.</source>
        <translation>各 rank 在运行结束时回报用量；在此之前只有预测值。</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>各 rank</translation>
    </message>
    <message>
        <source>Step time by kind, mean of ranks</source>
        <translation>各类步时，各 rank 的均值</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>单位 %1</translation>
    </message>
    <message>
        <source>forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Overlapped communication ran during compute. Checkpoint and evaluation times are excluded. Straggler index: the greatest work of a rank / the median. A click on a bar shows the log of its rank.</source>
        <translation>重叠的通信在计算期间进行。不含检查点和评估时间。掉队指数：各 rank 工作量的最大值 / 中位数。单击一条可查看该 rank 的日志。</translation>
    </message>
    <message>
        <source>Measured: the highest allocation of any rank, by kind and in total.</source>
        <translation>实测：任一 rank 的最大分配量，按类别和总计。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RateChart</name>
    <message>
        <source>Learning rate over the steps</source>
        <translation>学习率随步数的变化</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>%1 in every step</source>
        <translation>每一步均为 %1</translation>
    </message>
    <message>
        <source>%1 to %2, over steps</source>
        <translation>%1 到 %2，按步</translation>
    </message>
    <message>
        <source>Drawn once the experiment can be planned</source>
        <translation>实验可以规划后将画出</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ReachedTab</name>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Reached</source>
        <translation>达到</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Restricted mean</source>
        <translation>受限均值</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>The study names no target. A question with a target asks how long it takes to reach it: &quot;target&quot;: 0.97.</source>
        <translation>本研究没有目标。带目标的问题会问达到目标需要多久，例如 &quot;target&quot;: 0.97。</translation>
    </message>
    <message>
        <source>No round of seeds has ended yet at %1.</source>
        <translation>%1 时还没有一轮种子全部结束。</translation>
    </message>
    <message>
        <source>%1, at %2. Means are up to %3, as far as every seed was watched.</source>
        <translation>%1，%2。均值计算到 %3，即每个种子都被观察到的地方。</translation>
    </message>
    <message>
        <source>Two upright ticks: seeds were watched as far and had not reached the target.</source>
        <translation>两道竖线：种子观察到此处仍未达到目标。</translation>
    </message>
    <message>
        <source>Time to target</source>
        <translation>达到目标的时间</translation>
    </message>
    <message>
        <source>A band has no width where none of the seeds has reached the target, or all have.</source>
        <translation>尚无种子或全部种子达到目标之处，带没有宽度。</translation>
    </message>
    <message>
        <source>names with restricted means</source>
        <translation>名称后为受限均值</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ReportPage</name>
    <message>
        <source>No run is chosen</source>
        <translation>没有选择运行</translation>
    </message>
    <message>
        <source>Choose runs on the left: their report is shown here.</source>
        <translation>请在左侧选择运行，报告将显示在这里。</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Open the report in the browser</source>
        <translation>在浏览器中打开报告</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Save report…</source>
        <translation>保存报告…</translation>
    </message>
    <message>
        <source>Repeat it</source>
        <translation>重现</translation>
    </message>
    <message>
        <source>The saved page also holds what was off and why, orthogonality, memory and time by rank.</source>
        <translation>保存的页面还包含关闭项及原因、正交度、各 rank 的内存和时间。</translation>
    </message>
    <message>
        <source>There is no report of these runs</source>
        <translation>没有这些运行的报告</translation>
    </message>
    <message>
        <source>Copy the commands that repeat all runs</source>
        <translation>复制重复所有运行的命令</translation>
    </message>
    <message>
        <source>Slipstream report</source>
        <translation>Slipstream 报告</translation>
    </message>
    <message>
        <source>The commands are in the clipboard</source>
        <translation>命令已复制到剪贴板</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ReportSaver</name>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Document (*.pdf)</source>
        <translation>文档 (*.pdf)</translation>
    </message>
    <message>
        <source>Image (*.png)</source>
        <translation>图像 (*.png)</translation>
    </message>
    <message>
        <source>Table of what is compared (*.csv)</source>
        <translation>对比表格 (*.csv)</translation>
    </message>
    <message>
        <source>No run is chosen</source>
        <translation>没有选择运行</translation>
    </message>
    <message>
        <source>Report saved: %1</source>
        <translation>报告已保存：%1</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunActions</name>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Tags and note</source>
        <translation>标签与备注</translation>
    </message>
    <message>
        <source>Pin as baseline</source>
        <translation>设为基线</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消基线</translation>
    </message>
    <message>
        <source>Resume from step</source>
        <translation>从某步继续</translation>
    </message>
    <message>
        <source>Remove from queue</source>
        <translation>移出队列</translation>
    </message>
    <message>
        <source>Copy launch command</source>
        <translation>复制启动命令</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>取消归档</translation>
    </message>
    <message>
        <source>Delete permanently…</source>
        <translation>永久删除…</translation>
    </message>
    <message>
        <source>Looking for checkpoints</source>
        <translation>正在查找检查点</translation>
    </message>
    <message>
        <source>There is no checkpoint to resume from</source>
        <translation>没有可继续的检查点</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>The command is in the clipboard</source>
        <translation>命令已复制到剪贴板</translation>
    </message>
    <message>
        <source>No living run is chosen</source>
        <translation>没有选择进行中的运行</translation>
    </message>
    <message>
        <source>Choose one run that ended before it was done</source>
        <translation>请选择一次未完成就结束的运行</translation>
    </message>
    <message>
        <source>A copy of a run of %1, which is changed there</source>
        <translation>%1 上运行的副本，只能在那里更改</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunAlerts</name>
    <message>
        <source>no cause was recorded</source>
        <translation>没有记录原因</translation>
    </message>
    <message>
        <source>%1 was stopped after step %2.</source>
        <translation>%1 在第 %2 步后停止。</translation>
    </message>
    <message>
        <source>%1 failed before its first step: %2.</source>
        <translation>%1 在第一步之前失败：%2。</translation>
    </message>
    <message>
        <source>%1 was lost after step %2: %3.</source>
        <translation>%1 在第 %2 步后失联：%3。</translation>
    </message>
    <message>
        <source>%1 failed after step %2: %3.</source>
        <translation>%1 在第 %2 步后失败：%3。</translation>
    </message>
    <message>
        <source>It has no checkpoint: resumed, it begins again.</source>
        <translation>它没有检查点：继续时将从头开始。</translation>
    </message>
    <message>
        <source>Resumed, it continues from the checkpoint of step %1.</source>
        <translation>继续时将从第 %1 步的检查点开始。</translation>
    </message>
    <message>
        <source>The launch ended with it: %1 did not run.</source>
        <translation>本次启动随之结束：%1 没有运行。</translation>
    </message>
    <message>
        <source>%1 is done after step %2: test accuracy %3 %.</source>
        <translation>%1 在第 %2 步后完成：测试准确率 %3 %。</translation>
    </message>
    <message>
        <source>%1 is done.</source>
        <translation>%1 已完成。</translation>
    </message>
    <message>
        <source>%1 is done after step %2: training loss %3.</source>
        <translation>%1 在第 %2 步后完成：训练损失 %3。</translation>
    </message>
    <message>
        <source>The loss of %1 is %2 from step %3 on, and the run goes on.</source>
        <translation>%1 的损失从第 %3 步起为 %2，运行仍在继续。</translation>
    </message>
    <message numerus="yes">
        <source>The launch ended with it: %1 and %n more did not run.</source>
        <translation>
            <numerusform>启动随之结束：%1 以及另外 %n 个未运行。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunDelegate</name>
    <message>
        <source>emulated</source>
        <translation>仿真</translation>
    </message>
    <message>
        <source>%1 · loss</source>
        <comment>number of runs, above their final losses</comment>
        <translation>%1 · 损失</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>shown runs of a variant</comment>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunFilter</name>
    <message>
        <source>Filter, e.g. algo:adasum</source>
        <translation>筛选，例如 algo:adasum</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Words, state:failed, algo:adasum, tag:paper, seed:1, ranks&gt;4, accuracy&gt;97%, loss&lt;0.1, is:pinned; a minus before what must not hold; quotes around several words</source>
        <translation>单词、state:failed、algo:adasum、tag:paper、seed:1、ranks&gt;4、accuracy&gt;97%、loss&lt;0.1、is:pinned；前加减号表示排除；多个单词用引号括起</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunGlance</name>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>New from run</source>
        <translation>由此新建</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Active features</source>
        <translation>生效的功能</translation>
    </message>
    <message>
        <source>How the run stands</source>
        <translation>运行的状况</translation>
    </message>
    <message>
        <source>The command is in the clipboard</source>
        <translation>命令已复制到剪贴板</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1（第 %2 步）</translation>
    </message>
    <message>
        <source>Resume at %1</source>
        <translation>从第 %1 步恢复</translation>
    </message>
    <message>
        <source>Network · data</source>
        <translation>网络 · 数据</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>%1 peak, %2</source>
        <translation>峰值 %1，%2</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s) × %1 = %2</source>
        <translation>
            <numerusform>%n 个 rank × %1 = %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>%1 of about %2</source>
        <translation>%1 / 约 %2</translation>
    </message>
    <message>
        <source>Accuracy at the end</source>
        <translation>结束时准确率</translation>
    </message>
    <message>
        <source>Accuracy now</source>
        <translation>当前准确率</translation>
    </message>
    <message>
        <source>Best accuracy</source>
        <translation>最高准确率</translation>
    </message>
    <message>
        <source>Memory of a rank</source>
        <translation>单 rank 内存</translation>
    </message>
    <message>
        <source>%1 acted: %2</source>
        <translation>%1 已生效：%2</translation>
    </message>
    <message>
        <source>%1 did not act: %2</source>
        <translation>%1 未生效：%2</translation>
    </message>
    <message>
        <source>last: %1 at step %2</source>
        <translation>最后：第 %2 步 %1</translation>
    </message>
    <message>
        <source>Median step time</source>
        <translation>单步时间（中位数）</translation>
    </message>
    <message>
        <source>Time to %1 %</source>
        <translation>达到 %1 % 的时间</translation>
    </message>
    <message>
        <source>never reached</source>
        <translation>从未达到</translation>
    </message>
    <message>
        <source>%1, training %2</source>
        <translation>%1，训练 %2</translation>
    </message>
    <message>
        <source>final: %1</source>
        <translation>最终：%1</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunHeader</name>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s) × %1</source>
        <translation>
            <numerusform>%n 个 rank × %1</numerusform>
        </translation>
    </message>
    <message>
        <source>pinned baseline: %1</source>
        <translation>固定基线：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n experiment(s)</source>
        <translation>
            <numerusform>%n 个实验</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%n 次运行中的 %1 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunImport</name>
    <message>
        <source>Import runs</source>
        <translation>导入运行</translation>
    </message>
    <message>
        <source>Event files and tables (*tfevents* *.csv);;All files (*)</source>
        <translation>事件文件和表格 (*tfevents* *.csv);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Import the runs of a folder</source>
        <translation>导入文件夹中的运行</translation>
    </message>
    <message>
        <source>Reading the runs to import…</source>
        <translation>正在读取要导入的运行…</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) imported</source>
        <translation>
            <numerusform>已导入 %n 个运行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunInspector</name>
    <message>
        <source>Last lines of the log</source>
        <translation>日志的最后几行</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>运行环境</translation>
    </message>
    <message>
        <source>Reproduce</source>
        <translation>复现</translation>
    </message>
    <message>
        <source>Launch command</source>
        <translation>启动命令</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>No run is chosen</source>
        <translation>没有选择运行</translation>
    </message>
    <message>
        <source>Differences from baseline</source>
        <translation>与基线的差异</translation>
    </message>
    <message>
        <source>Differences from %1</source>
        <translation>与 %1 的差异</translation>
    </message>
    <message>
        <source>No run is pinned as baseline.</source>
        <translation>没有固定基线运行。</translation>
    </message>
    <message>
        <source>This run is the baseline.</source>
        <translation>这次运行就是基线。</translation>
    </message>
    <message>
        <source>Nothing: they differ in their seed at most.</source>
        <translation>没有：最多仅种子不同。</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>各 rank</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>尝试次数</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>%1 (emulated)</source>
        <translation>%1（仿真）</translation>
    </message>
    <message>
        <source>Run at a glance</source>
        <translation>运行概览</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunModel</name>
    <message>
        <source>queue %1</source>
        <translation>排队 %1</translation>
    </message>
    <message>
        <source>queued: %1</source>
        <translation>排队：%1</translation>
    </message>
    <message>
        <source>starting: %1</source>
        <translation>启动：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>NaN at %1</source>
        <translation>%1 步 NaN</translation>
    </message>
    <message>
        <source>infinite at %1</source>
        <translation>%1 步无穷大</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>%1, run %2</source>
        <translation>%1，运行 %2</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1，%2，%3</translation>
    </message>
    <message>
        <source>values damaged</source>
        <translation>数值已损坏</translation>
    </message>
    <message>
        <source>%1, emulated</source>
        <translation>%1，仿真</translation>
    </message>
    <message>
        <source>Of %1; a copy is here</source>
        <translation>来自 %1，此处是副本</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message numerus="yes">
        <source>0 of %n</source>
        <comment>runs that are done</comment>
        <translation>
            <numerusform>0 / %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n run(s)</source>
        <translation>
            <numerusform>%1，%n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s) are done</source>
        <translation>
            <numerusform>%n 次运行中有 %1 次已完成</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The value is the mean of %n final loss(es)</source>
        <translation>
            <numerusform>数值为 %n 个最终损失的均值</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunPage</name>
    <message>
        <source>No run is chosen</source>
        <translation>没有选择运行</translation>
    </message>
    <message>
        <source>No step has been recorded</source>
        <translation>没有记录任何一步</translation>
    </message>
    <message>
        <source>The run has not done its first step, or it ended before. Its log and its events below say more.</source>
        <translation>运行还没有完成第一步，或在此之前已结束。下方的日志和事件说明原因。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunTableModel</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2, closed</source>
        <translation>%1，%2，已折叠</translation>
    </message>
    <message>
        <source>%1, %2, open</source>
        <translation>%1，%2，已展开</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1. Filters call it %2.</source>
        <translation>%1。筛选中写作 %2。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunTableView</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · best %2</source>
        <translation>%1 · 最佳 %2</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Table of runs</source>
        <translation>运行表</translation>
    </message>
    <message>
        <source>%1 · target %2 %</source>
        <translation>%1 · 目标 %2 %</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunTitle</name>
    <message>
        <source>Choose another of the runs that are shown</source>
        <translation>选择所显示的另一次运行</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunsDock</name>
    <message>
        <source>Runs and experiments</source>
        <translation>运行与实验</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1 / %n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n shown in charts</source>
        <comment>number of runs, then of those shown</comment>
        <translation>
            <numerusform>%1 · 图中 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Group: experiment</source>
        <translation>按实验分组</translation>
    </message>
    <message>
        <source>Group: seeds</source>
        <translation>按种子分组</translation>
    </message>
    <message>
        <source>No run matches</source>
        <translation>没有匹配的运行</translation>
    </message>
    <message>
        <source>No runs in this store</source>
        <translation>运行库中没有运行</translation>
    </message>
    <message>
        <source>The filter above leaves none of the runs.</source>
        <translation>上面的筛选没有留下任何运行。</translation>
    </message>
    <message>
        <source>Runs appear here after launch.</source>
        <translation>启动后，运行会显示在这里。</translation>
    </message>
    <message>
        <source>More about runs</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Open all groups</source>
        <translation>展开全部组</translation>
    </message>
    <message>
        <source>Close all groups</source>
        <translation>收起全部组</translation>
    </message>
    <message>
        <source>Run details</source>
        <translation>运行详情</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>How runs are grouped</source>
        <translation>运行如何分组</translation>
    </message>
    <message>
        <source>By experiment</source>
        <translation>按实验</translation>
    </message>
    <message>
        <source>By experiment, seeds together</source>
        <translation>按实验，种子合并</translation>
    </message>
    <message>
        <source>The store cannot be read</source>
        <translation>运行库无法读取</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n in charts</source>
        <comment>the same in fewer words</comment>
        <translation>
            <numerusform>%1 · 图中 %n 次</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunsPage</name>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>How the runs are shown</source>
        <translation>运行的显示方式</translation>
    </message>
    <message>
        <source>Copy the table as CSV</source>
        <translation>将表格复制为 CSV</translation>
    </message>
    <message>
        <source>Show the runs as a table</source>
        <translation>以表格显示运行</translation>
    </message>
    <message>
        <source>Show the runs as parallel coordinates</source>
        <translation>以平行坐标显示运行</translation>
    </message>
    <message>
        <source>Choose the columns of the table</source>
        <translation>选择表格的列</translation>
    </message>
    <message>
        <source>Choose how the table is grouped</source>
        <translation>选择表格的分组方式</translation>
    </message>
    <message>
        <source>Sort by the column at hand</source>
        <translation>按当前列排序</translation>
    </message>
    <message>
        <source>Tick all runs of the table</source>
        <translation>勾选表中所有运行</translation>
    </message>
    <message>
        <source>Take all ticks away</source>
        <translation>取消全部勾选</translation>
    </message>
    <message>
        <source>No run matches</source>
        <translation>没有匹配的运行</translation>
    </message>
    <message>
        <source>No runs in this store</source>
        <translation>存储中没有运行</translation>
    </message>
    <message>
        <source>The filter leaves none of the runs.</source>
        <translation>筛选条件排除了所有运行。</translation>
    </message>
    <message>
        <source>Runs appear here after launch.</source>
        <translation>启动后，运行显示在这里。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%n 次运行中的 %1 次</numerusform>
        </translation>
    </message>
    <message>
        <source>sorted by %1</source>
        <translation>按%1排序</translation>
    </message>
    <message numerus="yes">
        <source>%n archived</source>
        <translation>
            <numerusform>%n 个已归档</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>reading %n more</source>
        <translation>
            <numerusform>正在读取另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>The store cannot be read</source>
        <translation>运行库无法读取</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) copied as CSV</source>
        <translation>
            <numerusform>已将 %n 个运行复制为 CSV</numerusform>
        </translation>
    </message>
    <message>
        <source>each group sorted by %1</source>
        <translation>各组内按%1排序</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>按%1</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ScalingTab</name>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>Weak efficiency, %</source>
        <translation>弱扩展效率，%</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Strong efficiency, %</source>
        <translation>强扩展效率，%</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Scaling needs different numbers of ranks: make &quot;parallel.ranks&quot; a factor with two values or more.</source>
        <translation>扩展性需要不同的 rank 数：把 &quot;parallel.ranks&quot; 作为因素，给出两个以上的值。</translation>
    </message>
    <message>
        <source>No run has ended yet.</source>
        <translation>还没有运行结束。</translation>
    </message>
    <message>
        <source>Strong scaling is of the time to the target, of the seeds that reached it; weak scaling of the samples a second.</source>
        <translation>强扩展针对达到目标的时间，只计达到目标的种子；弱扩展针对每秒样本数。</translation>
    </message>
    <message>
        <source>Strong scaling is of the time of the whole training; weak scaling of the samples a second.</source>
        <translation>强扩展针对整个训练的时间；弱扩展针对每秒样本数。</translation>
    </message>
    <message>
        <source>Both are relative to each variant&apos;s own fewest ranks.</source>
        <translation>两者都相对于各变体自身的最少 rank 数。</translation>
    </message>
    <message>
        <source>The samples of a step do not grow with the ranks: weak scaling says little here.</source>
        <translation>每步样本数不随 rank 数增长：弱扩展在此意义不大。</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>扩展性</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ShortcutsDialog</name>
    <message>
        <source>Move the cursor</source>
        <translation>移动光标</translation>
    </message>
    <message>
        <source>Cursor to the first or the last step</source>
        <translation>光标移到第一步或最后一步</translation>
    </message>
    <message>
        <source>Zoom in and out</source>
        <translation>放大和缩小</translation>
    </message>
    <message>
        <source>Enlarge the chart, and back</source>
        <translation>放大图表，再次恢复</translation>
    </message>
    <message>
        <source>Move in the table</source>
        <translation>在表格中移动</translation>
    </message>
    <message>
        <source>Tick a run, hide a curve</source>
        <translation>勾选运行，隐藏曲线</translation>
    </message>
    <message>
        <source>Open a group, show a curve alone</source>
        <translation>展开分组，单独显示曲线</translation>
    </message>
    <message>
        <source>Copy the chosen rows</source>
        <translation>复制选中的行</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Find a shortcut</source>
        <translation>查找快捷键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>In a chart</source>
        <translation>图表中</translation>
    </message>
    <message>
        <source>In a table</source>
        <translation>表格中</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StagesCard</name>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Starts from</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Algorithms</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>Single stage. Add stages to run several in sequence.</source>
        <translation>单阶段。添加阶段后依次运行。</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Show and change this stage&apos;s own settings above</source>
        <translation>在上方显示并修改该阶段自己的设置</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Add a stage</source>
        <translation>添加阶段</translation>
    </message>
    <message>
        <source>Remove a stage</source>
        <translation>移除阶段</translation>
    </message>
    <message>
        <source>Move a stage</source>
        <translation>移动阶段</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StatusLine</name>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Store: %1 · %2</source>
        <translation>存储：%1 · %2</translation>
    </message>
    <message>
        <source>No store is open</source>
        <translation>没有打开的运行库</translation>
    </message>
    <message>
        <source>%1, run %2 of %3</source>
        <translation>%1，运行 %2 / %3</translation>
    </message>
    <message>
        <source>step %1 / %2</source>
        <translation>第 %1 / %2 步</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>time left unknown</source>
        <translation>剩余时间未知</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n rank(s)</source>
        <translation>
            <numerusform>%1 / %n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing written yet</source>
        <translation>尚未写入</translation>
    </message>
    <message>
        <source>writer lag %1 s</source>
        <translation>写入延迟 %1 s</translation>
    </message>
    <message numerus="yes">
        <source>%n launch(es) waiting</source>
        <translation>
            <numerusform>%n 次启动在等待</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n CPU core(s)</source>
        <translation>
            <numerusform>%n 个 CPU 核</numerusform>
        </translation>
    </message>
    <message>
        <source>Store: %1 (empty)</source>
        <translation>存储：%1（空）</translation>
    </message>
    <message>
        <source>Store cannot be read</source>
        <translation>无法读取运行库</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>%1 · read only</source>
        <comment>of a store</comment>
        <translation>%1 · 只读</translation>
    </message>
    <message>
        <source>Store: %1</source>
        <translation>存储：%1</translation>
    </message>
    <message>
        <source>on %1, not heard of yet</source>
        <translation>位于 %1，尚无联系</translation>
    </message>
    <message>
        <source>on %1, heard %2 s ago</source>
        <translation>位于 %1，%2 秒前有联系</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a remote and its state</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StorePage</name>
    <message>
        <source>This cannot be read</source>
        <translation>无法读取</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StoreReader</name>
    <message>
        <source>Store not found: %1 was moved or deleted. Put it back, or open another one.</source>
        <translation>找不到存储：%1 已被移动或删除。请放回原处，或打开另一个。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StoreWatcher</name>
    <message>
        <source>This store can only be read. %1</source>
        <translation>此运行库只能读取。%1</translation>
    </message>
    <message>
        <source>Another store was put in the place of this one. Its runs are listed now.</source>
        <translation>此处的运行库已被另一个替换。现在列出的是新运行库中的运行。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StripChart</name>
    <message>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyDetails</name>
    <message>
        <source>%1, up to %2</source>
        <translation>%1，最多 %2</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Part of the budget that is used</source>
        <translation>已用预算的份额</translation>
    </message>
    <message>
        <source>Comparisons</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Study details</source>
        <translation>研究详情</translation>
    </message>
    <message>
        <source>Close the details</source>
        <translation>关闭详情</translation>
    </message>
    <message>
        <source>Primary measure</source>
        <translation>主要指标</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>The same within</source>
        <translation>视为相同的界限</translation>
    </message>
    <message>
        <source>Follows</source>
        <translation>接续</translation>
    </message>
    <message>
        <source>Hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tuning trial(s)</source>
        <translation>
            <numerusform>%n 次调参试验</numerusform>
        </translation>
    </message>
    <message>
        <source>not chosen yet</source>
        <translation>尚未选定</translation>
    </message>
    <message>
        <source>Judged together (Holm)</source>
        <translation>共同判断（Holm）</translation>
    </message>
    <message>
        <source>Looks at the data</source>
        <translation>查看数据的次数</translation>
    </message>
    <message>
        <source>Failed runs</source>
        <translation>失败的运行</translation>
    </message>
    <message numerus="yes">
        <source>%n more in the report</source>
        <translation>
            <numerusform>报告中还有 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>Tuning trials</source>
        <translation>调参试验</translation>
    </message>
    <message>
        <source>none: no variant was tuned</source>
        <translation>无：没有变体经过调参</translation>
    </message>
    <message>
        <source>log scale</source>
        <translation>对数刻度</translation>
    </message>
    <message>
        <source>frozen %1</source>
        <translation>冻结于 %1</translation>
    </message>
    <message>
        <source>Level · seeds</source>
        <translation>水平 · 种子</translation>
    </message>
    <message>
        <source>%1 · %2 %</source>
        <translation>%1 · %2 %</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>上限 %1</translation>
    </message>
    <message>
        <source>without a limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>%1. Filled: chosen.</source>
        <translation>%1。实心：选中。</translation>
    </message>
    <message>
        <source>Filled: chosen.</source>
        <translation>实心：选中。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyForm</name>
    <message>
        <source>Name of the study</source>
        <translation>研究名称</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Freeze and start</source>
        <translation>冻结并启动</translation>
    </message>
    <message>
        <source>New study</source>
        <translation>新建研究</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>frozen when it starts</source>
        <translation>启动时冻结</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>none chosen</source>
        <translation>未选择</translation>
    </message>
    <message>
        <source>Base experiment</source>
        <translation>基础实验</translation>
    </message>
    <message>
        <source>Primary measure</source>
        <translation>主要指标</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Target accuracy</source>
        <translation>目标准确率</translation>
    </message>
    <message>
        <source>% test accuracy</source>
        <translation>% 测试准确率</translation>
    </message>
    <message>
        <source>The same within</source>
        <translation>视为相同的界限</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>界限</translation>
    </message>
    <message>
        <source>of the measure</source>
        <translation>（按指标单位）</translation>
    </message>
    <message>
        <source>% of it</source>
        <translation>%</translation>
    </message>
    <message>
        <source>points of accuracy</source>
        <translation>个准确率百分点</translation>
    </message>
    <message>
        <source>The same within ±</source>
        <translation>相同的界限 ±</translation>
    </message>
    <message>
        <source>Significance level</source>
        <translation>显著性水平</translation>
    </message>
    <message>
        <source>over all comparisons (Holm)</source>
        <translation>全部对比合计（Holm）</translation>
    </message>
    <message>
        <source>Factors and seeds</source>
        <translation>因素与种子</translation>
    </message>
    <message>
        <source>every combination of values is a cell</source>
        <translation>每个取值组合是一个单元</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Numbers of ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Samples a batch</source>
        <translation>每批样本数</translation>
    </message>
    <message>
        <source>Other factors</source>
        <translation>其他因素</translation>
    </message>
    <message>
        <source>Factors</source>
        <translation>因素</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Seeds at once</source>
        <translation>首轮种子数</translation>
    </message>
    <message>
        <source>at once</source>
        <translation>首轮</translation>
    </message>
    <message>
        <source>Seeds at most</source>
        <translation>最多种子数</translation>
    </message>
    <message>
        <source>Tuning</source>
        <translation>调参</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>What is tried</source>
        <translation>尝试的取值</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验次数</translation>
    </message>
    <message>
        <source>Trials of a variant</source>
        <translation>每个变体的试验次数</translation>
    </message>
    <message>
        <source>of each tuned variant</source>
        <translation>每个调参的变体</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>hours of all its cores</source>
        <translation>小时（其全部核）</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核数</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>of this machine</source>
        <translation>（本机）</translation>
    </message>
    <message>
        <source>A/A control</source>
        <translation>A/A 对照</translation>
    </message>
    <message>
        <source>Copies of the reference</source>
        <translation>参照的副本数</translation>
    </message>
    <message>
        <source>as in the base</source>
        <translation>与基础实验相同</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Other measures that are judged</source>
        <translation>同时判断的其他指标</translation>
    </message>
    <message>
        <source>Rule of tuning</source>
        <translation>调参规则</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>One space for all that are tuned</source>
        <translation>所有调参变体共用一个空间</translation>
    </message>
    <message>
        <source>A space of its own for each, in the file</source>
        <translation>各有自己的空间，写在文件中</translation>
    </message>
    <message>
        <source>Key that is tuned</source>
        <translation>调参的键</translation>
    </message>
    <message>
        <source>Values that are tried</source>
        <translation>尝试的取值</translation>
    </message>
    <message>
        <source>Scale of the range</source>
        <translation>范围的刻度</translation>
    </message>
    <message>
        <source>log scale</source>
        <translation>对数刻度</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Not before everything that is wrong is put right</source>
        <translation>所有错误改正之后才能启动</translation>
    </message>
    <message>
        <source>Will be written to %1</source>
        <translation>将写入 %1</translation>
    </message>
    <message>
        <source>Also judged</source>
        <translation>同时判断</translation>
    </message>
    <message>
        <source>no more</source>
        <translation>不增加</translation>
    </message>
    <message>
        <source>added in rounds</source>
        <translation>分轮增加</translation>
    </message>
    <message>
        <source>nothing else…</source>
        <translation>没有其他…</translation>
    </message>
    <message numerus="yes">
        <source>%n other measure(s)…</source>
        <translation>
            <numerusform>另外 %n 项指标…</numerusform>
        </translation>
    </message>
    <message>
        <source>What is tuned</source>
        <translation>调整的键</translation>
    </message>
    <message>
        <source>Compares the reference with itself instead of the variants: nothing should be shown</source>
        <translation>用参照与自身对比，代替各变体：不应显示任何差异</translation>
    </message>
    <message>
        <source>copies of the reference, in place of the variants</source>
        <translation>个参照副本，代替各变体</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyHeader</name>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Add seeds…</source>
        <translation>增加种子…</translation>
    </message>
    <message>
        <source>Save report…</source>
        <translation>保存报告…</translation>
    </message>
    <message>
        <source>New study</source>
        <translation>新建研究</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s) ended</source>
        <translation>
            <numerusform>%n 次运行中 %1 次已结束</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n 次失败</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is being carried on: pause it first, or wait for its end</source>
        <translation>%1 正在进行：先暂停它，或等它结束</translation>
    </message>
    <message>
        <source>No more runs are started; those that train go on to their ends</source>
        <translation>不再启动新的运行；正在训练的会进行到底</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyKey</name>
    <message>
        <source>the same within ±%1</source>
        <translation>在 ±%1 内相同</translation>
    </message>
    <message>
        <source>reached %1</source>
        <translation>达到 %1</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从未达到</translation>
    </message>
    <message>
        <source>Key: %1</source>
        <translation>图例：%1</translation>
    </message>
    <message>
        <source>better: higher</source>
        <translation>更好：更高</translation>
    </message>
    <message>
        <source>better: lower</source>
        <translation>更好：更低</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyList</name>
    <message>
        <source>Studies</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>Studies, closed</source>
        <translation>研究，已收起</translation>
    </message>
    <message>
        <source>Studies, open</source>
        <translation>研究，已展开</translation>
    </message>
    <message numerus="yes">
        <source>%n study(s)</source>
        <translation>
            <numerusform>%n 项研究</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyListModel</name>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>%1, draft</source>
        <translation>%1，草稿</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2, %3 of %n run(s) ended, %4 failed</source>
        <translation>
            <numerusform>%1，%2，%n 次运行中 %3 次已结束，%4 次失败</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyPage</name>
    <message>
        <source>New study</source>
        <translation>新建研究</translation>
    </message>
    <message>
        <source>Open study…</source>
        <translation>打开研究…</translation>
    </message>
    <message>
        <source>New study from this</source>
        <translation>由此新建研究</translation>
    </message>
    <message>
        <source>Save report of the study…</source>
        <translation>保存研究报告…</translation>
    </message>
    <message>
        <source>No study yet</source>
        <translation>还没有研究</translation>
    </message>
    <message>
        <source>A study asks one question of many runs: which variant is better, on how many ranks, and with how many seeds that is shown.</source>
        <translation>研究用许多运行回答一个问题：哪个变体更好，在多少个 rank 上，需要多少种子才能显示。</translation>
    </message>
    <message>
        <source>Study %1</source>
        <translation>研究 %1</translation>
    </message>
    <message>
        <source>It is not in the store, or not any more.</source>
        <translation>它不在存储库中，或已不在。</translation>
    </message>
    <message>
        <source>Seeds are added once the runs of this round have ended.</source>
        <translation>本轮运行结束后才能增加种子。</translation>
    </message>
    <message>
        <source>%1 is being carried on.</source>
        <translation>%1 正在进行。</translation>
    </message>
    <message>
        <source>It is being started.</source>
        <translation>正在启动。</translation>
    </message>
    <message>
        <source>This study cannot be read</source>
        <translation>无法读取该研究</translation>
    </message>
    <message>
        <source>Study %1 is done. %2</source>
        <translation>研究 %1 已完成。%2</translation>
    </message>
    <message>
        <source>Open study</source>
        <translation>打开研究</translation>
    </message>
    <message>
        <source>JSON files (*.json)</source>
        <translation>JSON 文件 (*.json)</translation>
    </message>
    <message>
        <source>Base experiment</source>
        <translation>基础实验</translation>
    </message>
    <message>
        <source>The base experiment has no file yet.</source>
        <translation>基础实验还没有文件。</translation>
    </message>
    <message>
        <source>%1 is there already: give the study another name, or open that one.</source>
        <translation>%1 已存在：请给研究另取名称，或打开该文件。</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>研究</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyResults</name>
    <message>
        <source>New study from this</source>
        <translation>由此新建研究</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Reading what came of the runs…</source>
        <translation>正在读取运行结果…</translation>
    </message>
    <message>
        <source>the target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Changed since the study was frozen: %1. What was frozen counts.</source>
        <translation>研究冻结后已更改：%1。以冻结的内容为准。</translation>
    </message>
    <message>
        <source>%1 here</source>
        <translation>此处 %1 项</translation>
    </message>
    <message>
        <source>%1 of “%2”</source>
        <translation>“%2”%1 项</translation>
    </message>
    <message>
        <source>Column that the tabs are about</source>
        <translation>各标签页所示的列</translation>
    </message>
    <message numerus="yes">
        <source>%n comparison(s)</source>
        <translation>
            <numerusform>%n 次比较</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n comparison(s): %1</source>
        <translation>
            <numerusform>%n 次比较：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>change against %1 in % [95 %]</source>
        <translation>相对 %1 的变化（%）[95 %]</translation>
    </message>
    <message>
        <source>difference to %1 [95 %]</source>
        <translation>与 %1 的差值 [95 %]</translation>
    </message>
    <message>
        <source>change in % [95 %]</source>
        <translation>变化（%）[95 %]</translation>
    </message>
    <message>
        <source>difference [95 %]</source>
        <translation>差值 [95 %]</translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) in each cell</source>
        <translation>
            <numerusform>每格 %n 对</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 to %2 pairs in a cell</source>
        <translation>每格 %1 至 %2 对</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n tuning trial(s) per column</source>
        <translation>
            <numerusform>%1：每列 %n 次调参试验</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudySaver</name>
    <message>
        <source>No study is chosen</source>
        <translation>未选择研究</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Document (*.pdf)</source>
        <translation>文档 (*.pdf)</translation>
    </message>
    <message>
        <source>LaTeX (*.tex)</source>
        <translation>LaTeX (*.tex)</translation>
    </message>
    <message>
        <source>Table of what is compared (*.csv)</source>
        <translation>对比表 (*.csv)</translation>
    </message>
    <message>
        <source>For programs (*.json)</source>
        <translation>供程序使用 (*.json)</translation>
    </message>
    <message>
        <source>Report saved: %1</source>
        <translation>报告已保存：%1</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ToolBar</name>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::TradeOffTab</name>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Test accuracy, %</source>
        <translation>测试准确率，%</translation>
    </message>
    <message>
        <source>Training, s</source>
        <translation>训练，s</translation>
    </message>
    <message>
        <source>Memory of a rank</source>
        <translation>每个 rank 的内存</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Not beaten</source>
        <translation>未被超过</translation>
    </message>
    <message>
        <source>in all three</source>
        <translation>三项皆然</translation>
    </message>
    <message>
        <source>No run has ended yet.</source>
        <translation>还没有运行结束。</translation>
    </message>
    <message>
        <source>The stages of a run share its time and memory: there is nothing to trade.</source>
        <translation>一次运行的各阶段共用时间与内存：无可权衡。</translation>
    </message>
    <message>
        <source>A dot is the mean of its seeds, its cross reaches from the lowest to the highest. Not beaten: nothing else is as good in accuracy, time and memory, and better in one of them.</source>
        <translation>点是各种子的均值，十字线从最低到最高。未被超过：没有其他变体在准确率、时间和内存上都不差且至少一项更好。</translation>
    </message>
    <message>
        <source>Trade-off</source>
        <translation>权衡</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::TrialRows</name>
    <message>
        <source>Circles are the trials on the scale of what they tried; the filled one was chosen</source>
        <translation>圆圈为各次试验，按所试数值的刻度排列；实心者为选中的值</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::VariantRows</name>
    <message>
        <source>Add variant</source>
        <translation>添加变体</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Name of the variant</source>
        <translation>变体名称</translation>
    </message>
    <message>
        <source>Settings of %1</source>
        <translation>%1 的设置</translation>
    </message>
    <message>
        <source>tuned</source>
        <translation>调参</translation>
    </message>
    <message>
        <source>fair rival</source>
        <translation>公平对手</translation>
    </message>
    <message>
        <source>A step that is as large as Adasum&apos;s, by a learning rate that follows the ranks</source>
        <translation>学习率随 rank 数变化，步长与 Adasum 相当</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Tuned variants</source>
        <translation>调参的变体</translation>
    </message>
    <message>
        <source>Rename the variant</source>
        <translation>重命名变体</translation>
    </message>
    <message>
        <source>Settings of the variant</source>
        <translation>变体的设置</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::VariedKeyRow</name>
    <message>
        <source>Setting to vary</source>
        <translation>要变化的设置</translation>
    </message>
    <message>
        <source>Its values, with commas between</source>
        <translation>取值，以逗号分隔</translation>
    </message>
    <message>
        <source>Choose a setting</source>
        <translation>选择设置</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::VaryDialog</name>
    <message>
        <source>One at a time</source>
        <translation>逐个</translation>
    </message>
    <message>
        <source>All combinations (grid)</source>
        <translation>所有组合（网格）</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply and launch</source>
        <translation>应用并启动</translation>
    </message>
    <message>
        <source>Create variants</source>
        <translation>生成变体</translation>
    </message>
    <message>
        <source>Algorithms to compare</source>
        <translation>要对比的算法</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>与文件相同</translation>
    </message>
    <message>
        <source>Numbers of ranks with commas between: 2, 4, 8</source>
        <translation>rank 数，用逗号分隔：2, 4, 8</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>各 rank</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message numerus="yes">
        <source>Replaces %n variant(s) of the file; undo brings them back</source>
        <translation>
            <numerusform>替换文件中的 %n 个变体；撤销可恢复</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>More than %1 runs</source>
        <translation>超过 %1 次运行</translation>
    </message>
    <message>
        <source>Settings to vary</source>
        <translation>要变化的设置</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Vary another setting</source>
        <translation>再变化一项设置</translation>
    </message>
    <message>
        <source>A value is not allowed</source>
        <translation>有不允许的取值</translation>
    </message>
    <message>
        <source>Choose algorithms, values, seeds or ranks first</source>
        <translation>请先选择算法、取值、种子或 rank 数</translation>
    </message>
    <message>
        <source>About %1 in all, by earlier runs like these.</source>
        <translation>根据以往类似的运行，总计约 %1。</translation>
    </message>
    <message>
        <source>How long it takes is not known before a run like these.</source>
        <translation>没有类似的运行，所需时间未知。</translation>
    </message>
    <message>
        <source>%1 and more allow a claim about a difference</source>
        <translation>%1 个及以上才能对差别下结论</translation>
    </message>
    <message>
        <source>With fewer than %1 seeds differences are shown, and none is claimed.</source>
        <translation>种子少于 %1 个时只显示差别，不下结论。</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::WelcomePage</name>
    <message>
        <source>Welcome to Slipstream</source>
        <translation>欢迎使用 Slipstream</translation>
    </message>
    <message>
        <source>Compare acceleration algorithms for distributed training.</source>
        <translation>比较分布式训练的各种加速算法。</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>8-rank example</source>
        <translation>8 个 rank 的示例</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Network, data, ranks and boost level on one page</source>
        <translation>网络、数据、rank 和加速级别在一页上</translation>
    </message>
    <message>
        <source>Open a store</source>
        <translation>打开运行库</translation>
    </message>
    <message>
        <source>A folder with store.db</source>
        <translation>含 store.db 的文件夹</translation>
    </message>
    <message>
        <source>Open a rank table</source>
        <translation>打开组网信息文件</translation>
    </message>
    <message>
        <source>Version 1.0, with checks and quick fixes</source>
        <translation>1.0 版，带检查和快速修复</translation>
    </message>
    <message>
        <source>Open %1 again</source>
        <translation>重新打开 %1</translation>
    </message>
    <message>
        <source>Expected training loss</source>
        <translation>预期训练损失</translation>
    </message>
    <message>
        <source>%1 %2 %</source>
        <comment>a variant and its accuracy</comment>
        <translation>%1 %2 %</translation>
    </message>
    <message>
        <source>TensorBoard event files or CSV, beside your own runs</source>
        <translation>TensorBoard 事件文件或 CSV，与自己的运行并列</translation>
    </message>
    <message>
        <source>Import runs</source>
        <translation>导入运行</translation>
    </message>
    <message numerus="yes">
        <source>over %n step(s), log scale; with the final test accuracy</source>
        <translation>
            <numerusform>共 %n 步，对数坐标；附最终测试准确率</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>LeNet-5 on digits: Adasum against averaging, in about %n second(s). No download and no GPU is needed.</source>
        <translation>
            <numerusform>在 digits 上训练 LeNet-5：Adasum 与平均法对比，约 %n 秒。无需下载，也无需 GPU。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::WhereBox</name>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message numerus="yes">
        <source>%n CPU core(s)</source>
        <translation>
            <numerusform>%n 个 CPU 核</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (Slurm)</source>
        <translation>%1（Slurm）</translation>
    </message>
    <message>
        <source>Add a machine…</source>
        <translation>添加机器…</translation>
    </message>
    <message>
        <source>Launches go to this machine</source>
        <translation>在本机启动</translation>
    </message>
    <message>
        <source>Launches go to %1</source>
        <translation>在 %1 上启动</translation>
    </message>
</context>
<context>
    <name>slipstream::ui::Windows</name>
    <message>
        <source>Something is being written to a file: the language changes with the next start</source>
        <translation>正在写入文件：语言将在下次启动时切换</translation>
    </message>
    <message>
        <source>Slipstream cannot start</source>
        <translation>Slipstream 无法启动</translation>
    </message>
</context>
</TS>
